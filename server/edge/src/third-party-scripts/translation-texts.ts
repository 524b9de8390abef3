import { readFile } from 'node:fs/promises'

/**
 * The in-context language export of the translation tool: JSON with the marker of each English text. Without the file,
 * there are no markers, and texts stay in English.
 *
 * @throws if the file isn't JSON.
 */
export async function translationTexts(file: string | undefined): Promise<unknown> {
  if (file === undefined) return {}
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  return JSON.parse(text)
}
