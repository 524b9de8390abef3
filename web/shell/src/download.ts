/** Hands a file to the browser as a download, as if it had come from a link. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Browsers begin to read it at once; a moment later nobody needs it any more.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
