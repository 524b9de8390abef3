import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LegalPage, LegalText } from '@sightline/contract/legal-texts'

export interface LegalTexts {
  /**
   * The text of a brand, or the provider's if `resellerId` is undefined. Read each time, so that a change takes effect
   * immediately.
   */
  find(page: LegalPage, resellerId: number | undefined): Promise<LegalText>
}

/** Longer than any such text; what is beyond is an operator's mistake and refused, and the page before it is shown. */
const MAX_BYTES = 512 * 1024
const TEMPLATES = join(import.meta.dirname, 'templates')

/**
 * Legal texts from the operator's folder: `<reseller id>/<page>.md` for one brand, `<page>.md` for all others, and a
 * built-in template if there is neither. A file is English and UTF-8; its first line may be `Version: …`, otherwise its
 * hash is the version.
 */
export const legalTexts = (folder: string | undefined): LegalTexts => ({
  async find(page, resellerId) {
    const ofBrand = resellerId === undefined ? [] : [String(resellerId)]
    const places = folder === undefined ? [] : [...ofBrand.map((id) => join(folder, id)), folder]
    for (const place of places) {
      const text = await readText(join(place, `${page}.md`))
      if (text !== undefined) return { ...versioned(text), isTemplate: false }
    }
    const template = await readText(join(TEMPLATES, `${page}.md`))
    if (template === undefined) throw new Error(`the template of the legal page ${page} is missing from ${TEMPLATES}`)
    return { ...versioned(template), isTemplate: true }
  },
})

/** The version of the subscription agreement for a reseller's users. */
export type AgreementVersion = (resellerId: number) => Promise<string>

export const createAgreementVersion =
  (folder: string | undefined): AgreementVersion =>
  async (resellerId) =>
    (await legalTexts(folder).find('subscriptionagreement', resellerId)).version

/** Undefined if the file doesn't exist, is empty or is too long. */
async function readText(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    if (size > MAX_BYTES) return undefined
    const text = await file.readFile('utf8')
    return text.trim() === '' ? undefined : text
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function versioned(file: string): Pick<LegalText, 'version' | 'text'> {
  const text = file.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '')
  const named = /^Version:[ \t]*(\S[^\n]{0,63})\n/.exec(text)
  if (named !== null) return { version: named[1]?.trim() ?? '', text: text.slice(named[0].length) }
  return { version: createHash('sha256').update(text).digest('hex').slice(0, 12), text }
}
