import { readFile } from 'node:fs/promises'

/**
 * What the translation tool exported as its in-context language: JSON with, for each English text, the mark that it finds
 * the text by. Without the file there are no marks, and texts stay English.
 * @throws when the file is not JSON.
 */
export async function translationTexts(file: string | undefined): Promise<unknown> {
  if (file === undefined) return {}
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  return JSON.parse(text)
}
