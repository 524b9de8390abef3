/** Starts a download of a file in the browser, like a link. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Browsers start reading it immediately, so it can be released soon.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
