// The words of the client itself in the reader's language; the panel for those who build the bot speaks English.

const words = {
  en: {
    send: "Send", invitation: "Message {0}, or / for commands", commands: "Commands", members: "Members", apps: "Apps", people: "People",
    textChannels: "Text channels", direct: "Direct messages", group: "Private group", settings: "Settings", language: "Language",
    theme: "Theme", dark: "Dark", light: "Light", system: "As the system has it", onlyYou: "Only you can see this", dismiss: "Dismiss message",
    failed: "This interaction failed", silent: "The application did not respond", sending: "Sending the command…", thinking: "{0} is thinking…",
    used: "{0} used {1}", edited: "(edited)", gone: "The original message was deleted", replyingTo: "Replying to {0}", reply: "Reply",
    mention: "Mention", copyText: "Copy text", copyLink: "Copy message link", copyId: "Copy ID", remove: "Delete message", noApps: "No commands here",
    choose: "Make a selection", nothingFits: "Nothing fits", submit: "Submit", cancel: "Cancel", close: "Close", newest: "Jump to the newest",
    required: "This is required", optional: "optional", noCommand: "There is no such command", news: "new", pinged: "mentioned", online: "online", offline: "offline",
  },
  de: {
    send: "Senden", invitation: "Nachricht an {0} oder / für Befehle", commands: "Befehle", members: "Mitglieder", apps: "Apps", people: "Personen",
    textChannels: "Textkanäle", direct: "Direktnachrichten", group: "Private Gruppe", settings: "Einstellungen", language: "Sprache",
    theme: "Design", dark: "Dunkel", light: "Hell", system: "Wie im System", onlyYou: "Nur du kannst das sehen", dismiss: "Nachricht ausblenden",
    failed: "Diese Interaktion ist fehlgeschlagen", silent: "Die App hat nicht geantwortet", sending: "Befehl wird gesendet …", thinking: "{0} denkt nach …",
    used: "{0} hat {1} benutzt", edited: "(bearbeitet)", gone: "Die ursprüngliche Nachricht wurde gelöscht", replyingTo: "Antwort an {0}", reply: "Antworten",
    mention: "Erwähnen", copyText: "Text kopieren", copyLink: "Nachrichtenlink kopieren", copyId: "ID kopieren", remove: "Nachricht löschen", noApps: "Hier gibt es keine Befehle",
    choose: "Triff eine Auswahl", nothingFits: "Nichts passt", submit: "Absenden", cancel: "Abbrechen", close: "Schließen", newest: "Zu den neuesten springen",
    required: "Das ist erforderlich", optional: "optional", noCommand: "Diesen Befehl gibt es nicht", news: "neu", pinged: "erwähnt", online: "online", offline: "offline",
  },
  ru: {
    send: "Отправить", invitation: "Написать в {0} или / для команд", commands: "Команды", members: "Участники", apps: "Приложения", people: "Люди",
    textChannels: "Текстовые каналы", direct: "Личные сообщения", group: "Закрытая группа", settings: "Настройки", language: "Язык",
    theme: "Тема", dark: "Тёмная", light: "Светлая", system: "Как в системе", onlyYou: "Это видите только вы", dismiss: "Скрыть сообщение",
    failed: "Действие не выполнено", silent: "Приложение не отвечает", sending: "Команда отправляется…", thinking: "{0} думает…",
    used: "{0} использует {1}", edited: "(изменено)", gone: "Исходное сообщение удалено", replyingTo: "Ответ для {0}", reply: "Ответить",
    mention: "Упомянуть", copyText: "Копировать текст", copyLink: "Копировать ссылку на сообщение", copyId: "Копировать ID", remove: "Удалить сообщение", noApps: "Здесь нет команд",
    choose: "Сделайте выбор", nothingFits: "Ничего не подходит", submit: "Отправить", cancel: "Отмена", close: "Закрыть", newest: "К новым сообщениям",
    required: "Это обязательно", optional: "необязательно", noCommand: "Такой команды нет", news: "новое", pinged: "упоминание", online: "в сети", offline: "не в сети",
  },
  fr: {
    send: "Envoyer", invitation: "Message à {0}, ou / pour les commandes", commands: "Commandes", members: "Membres", apps: "Applications", people: "Personnes",
    textChannels: "Salons textuels", direct: "Messages privés", group: "Groupe privé", settings: "Paramètres", language: "Langue",
    theme: "Thème", dark: "Sombre", light: "Clair", system: "Comme le système", onlyYou: "Vous seul pouvez voir ceci", dismiss: "Masquer le message",
    failed: "Cette interaction a échoué", silent: "L’application n’a pas répondu", sending: "Envoi de la commande…", thinking: "{0} réfléchit…",
    used: "{0} a utilisé {1}", edited: "(modifié)", gone: "Le message d’origine a été supprimé", replyingTo: "Réponse à {0}", reply: "Répondre",
    mention: "Mentionner", copyText: "Copier le texte", copyLink: "Copier le lien du message", copyId: "Copier l’identifiant", remove: "Supprimer le message", noApps: "Aucune commande ici",
    choose: "Faites un choix", nothingFits: "Rien ne correspond", submit: "Valider", cancel: "Annuler", close: "Fermer", newest: "Aller aux plus récents",
    required: "C’est obligatoire", optional: "facultatif", noCommand: "Cette commande n’existe pas", news: "nouveau", pinged: "mentionné", online: "en ligne", offline: "hors ligne",
  },
  es: {
    send: "Enviar", invitation: "Mensaje a {0}, o / para los comandos", commands: "Comandos", members: "Miembros", apps: "Aplicaciones", people: "Personas",
    textChannels: "Canales de texto", direct: "Mensajes directos", group: "Grupo privado", settings: "Ajustes", language: "Idioma",
    theme: "Tema", dark: "Oscuro", light: "Claro", system: "Como el sistema", onlyYou: "Solo tú puedes ver esto", dismiss: "Ocultar mensaje",
    failed: "La interacción ha fallado", silent: "La aplicación no ha respondido", sending: "Enviando el comando…", thinking: "{0} está pensando…",
    used: "{0} ha usado {1}", edited: "(editado)", gone: "Se eliminó el mensaje original", replyingTo: "Respuesta a {0}", reply: "Responder",
    mention: "Mencionar", copyText: "Copiar texto", copyLink: "Copiar enlace del mensaje", copyId: "Copiar ID", remove: "Eliminar mensaje", noApps: "Aquí no hay comandos",
    choose: "Elige una opción", nothingFits: "Nada coincide", submit: "Enviar", cancel: "Cancelar", close: "Cerrar", newest: "Ir a lo más reciente",
    required: "Es obligatorio", optional: "opcional", noCommand: "Ese comando no existe", news: "nuevo", pinged: "mención", online: "en línea", offline: "sin conexión",
  },
  "pt-BR": {
    send: "Enviar", invitation: "Conversar em {0}, ou / para comandos", commands: "Comandos", members: "Membros", apps: "Aplicativos", people: "Pessoas",
    textChannels: "Canais de texto", direct: "Mensagens diretas", group: "Grupo privado", settings: "Configurações", language: "Idioma",
    theme: "Tema", dark: "Escuro", light: "Claro", system: "Como no sistema", onlyYou: "Só você pode ver isto", dismiss: "Ocultar mensagem",
    failed: "Esta interação falhou", silent: "O aplicativo não respondeu", sending: "Enviando o comando…", thinking: "{0} está pensando…",
    used: "{0} usou {1}", edited: "(editado)", gone: "A mensagem original foi excluída", replyingTo: "Respondendo a {0}", reply: "Responder",
    mention: "Mencionar", copyText: "Copiar texto", copyLink: "Copiar link da mensagem", copyId: "Copiar ID", remove: "Excluir mensagem", noApps: "Nenhum comando aqui",
    choose: "Faça uma escolha", nothingFits: "Nada corresponde", submit: "Enviar", cancel: "Cancelar", close: "Fechar", newest: "Ir para as mais recentes",
    required: "Isto é obrigatório", optional: "opcional", noCommand: "Esse comando não existe", news: "nova", pinged: "menção", online: "on-line", offline: "off-line",
  },
  ja: {
    send: "送信", invitation: "{0} へのメッセージ、または / でコマンド", commands: "コマンド", members: "メンバー", apps: "アプリ", people: "人",
    textChannels: "テキストチャンネル", direct: "ダイレクトメッセージ", group: "プライベートグループ", settings: "設定", language: "言語",
    theme: "テーマ", dark: "ダーク", light: "ライト", system: "システムに合わせる", onlyYou: "これはあなただけに表示されています", dismiss: "メッセージを閉じる",
    failed: "インタラクションに失敗しました", silent: "アプリケーションが応答しませんでした", sending: "コマンドを送信中…", thinking: "{0} が考え中…",
    used: "{0} が {1} を使用しました", edited: "（編集済）", gone: "元のメッセージは削除されました", replyingTo: "{0} に返信中", reply: "返信",
    mention: "メンション", copyText: "テキストをコピー", copyLink: "メッセージリンクをコピー", copyId: "IDをコピー", remove: "メッセージを削除", noApps: "ここにはコマンドがありません",
    choose: "選択してください", nothingFits: "一致するものがありません", submit: "送信", cancel: "キャンセル", close: "閉じる", newest: "最新へ移動",
    required: "必須項目です", optional: "任意", noCommand: "そのコマンドはありません", news: "新着", pinged: "メンション", online: "オンライン", offline: "オフライン",
  },
  ko: {
    send: "보내기", invitation: "{0}에 메시지 보내기, 명령어는 /", commands: "명령어", members: "멤버", apps: "앱", people: "사람",
    textChannels: "채팅 채널", direct: "다이렉트 메시지", group: "비공개 그룹", settings: "설정", language: "언어",
    theme: "테마", dark: "어둡게", light: "밝게", system: "시스템과 같이", onlyYou: "이 메시지는 나만 볼 수 있어요", dismiss: "메시지 닫기",
    failed: "상호작용 실패", silent: "앱이 응답하지 않았어요", sending: "명령어를 보내는 중…", thinking: "{0} 님이 생각하는 중…",
    used: "{0} 님이 {1} 사용", edited: "(수정됨)", gone: "원본 메시지가 삭제되었어요", replyingTo: "{0} 님에게 답장 중", reply: "답장",
    mention: "멘션", copyText: "텍스트 복사", copyLink: "메시지 링크 복사", copyId: "ID 복사", remove: "메시지 삭제", noApps: "여기에는 명령어가 없어요",
    choose: "선택하세요", nothingFits: "맞는 항목이 없어요", submit: "제출", cancel: "취소", close: "닫기", newest: "최신 메시지로 이동",
    required: "필수 항목이에요", optional: "선택 사항", noCommand: "그런 명령어는 없어요", news: "새 글", pinged: "멘션", online: "온라인", offline: "오프라인",
  },
  "zh-CN": {
    send: "发送", invitation: "发消息到 {0}，输入 / 使用命令", commands: "命令", members: "成员", apps: "应用", people: "用户",
    textChannels: "文字频道", direct: "私信", group: "私人群组", settings: "设置", language: "语言",
    theme: "主题", dark: "深色", light: "浅色", system: "跟随系统", onlyYou: "只有您能看到此内容", dismiss: "关闭消息",
    failed: "交互失败", silent: "应用没有响应", sending: "正在发送命令…", thinking: "{0} 正在思考…",
    used: "{0} 使用了 {1}", edited: "（已编辑）", gone: "原消息已被删除", replyingTo: "正在回复 {0}", reply: "回复",
    mention: "提及", copyText: "复制文本", copyLink: "复制消息链接", copyId: "复制 ID", remove: "删除消息", noApps: "这里没有命令",
    choose: "请选择", nothingFits: "没有匹配项", submit: "提交", cancel: "取消", close: "关闭", newest: "跳到最新消息",
    required: "此项为必填", optional: "可选", noCommand: "没有这个命令", news: "新消息", pinged: "提及", online: "在线", offline: "离线",
  },
  "zh-TW": {
    send: "傳送", invitation: "傳訊息到 {0}，輸入 / 使用指令", commands: "指令", members: "成員", apps: "應用程式", people: "使用者",
    textChannels: "文字頻道", direct: "私人訊息", group: "私人群組", settings: "設定", language: "語言",
    theme: "主題", dark: "深色", light: "淺色", system: "依系統設定", onlyYou: "只有你能看到此訊息", dismiss: "關閉訊息",
    failed: "互動失敗", silent: "應用程式沒有回應", sending: "正在傳送指令…", thinking: "{0} 正在思考…",
    used: "{0} 使用了 {1}", edited: "（已編輯）", gone: "原訊息已被刪除", replyingTo: "正在回覆 {0}", reply: "回覆",
    mention: "提及", copyText: "複製文字", copyLink: "複製訊息連結", copyId: "複製 ID", remove: "刪除訊息", noApps: "這裡沒有指令",
    choose: "請選擇", nothingFits: "沒有符合的項目", submit: "提交", cancel: "取消", close: "關閉", newest: "跳到最新訊息",
    required: "此項為必填", optional: "選填", noCommand: "沒有這個指令", news: "新訊息", pinged: "提及", online: "線上", offline: "離線",
  },
};

let spoken = words.en;

/** Speaks the language of a locale from now on; English where it has no words. */
export function speak(locale) {
  spoken = { ...words.en, ...(words[locale] ?? words[locale.split("-")[0]]) };
}

/** The text of a key; {0}, {1}… stand for values. */
export function word(key, ...values) {
  return spoken[key].replace(/\{(\d)\}/g, (_, i) => values[i] ?? "");
}

/** The same as a list of texts and nodes. */
export function parts(key, ...nodes) {
  return spoken[key].split(/\{(\d)\}/).map((p, i) => (i % 2 ? nodes[Number(p)] : p)).filter((p) => p !== "");
}
