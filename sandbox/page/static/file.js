// Files that the reader uploads.

/** Reads chosen files into what requests carry: {name, type, data}, with data in base64. */
export function readFiles(list) {
  return Promise.all([...list].map(read));
}

function read(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve({ name: file.name, type: file.type, data: reader.result.slice(reader.result.indexOf(",") + 1) }));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}
