import * as z from 'zod/mini'

/** The legal pages that a brand may replace (decision 20); the cookie policy is not among them, it says what the code does. */
export const legalPages = ['terms', 'subscriptionagreement', 'aditerms'] as const
export type LegalPage = (typeof legalPages)[number]

/** Where the texts answer on a brand's host, with the page behind it. */
export const LEGAL_TEXTS_PATH = '/legal-texts/'

/** The page of that address, if it is one. */
export const findLegalPage = (path: string): LegalPage | undefined =>
  path.startsWith(LEGAL_TEXTS_PATH)
    ? legalPages.find((page) => page === path.slice(LEGAL_TEXTS_PATH.length))
    : undefined

/** English, the binding one. */
export const legalText = z.object({
  /** Another one is another text; at most 64 characters. */
  version: z.string(),
  /** Nobody has put a text of the brand in its place yet. */
  isTemplate: z.boolean(),
  /**
   * A small part of Markdown: `#` and `##` headings with `{#anchor}` behind where it matters, paragraphs, lists by `-`, and
   * `**strong**`. `{company}` stands for the brand's name.
   */
  text: z.string(),
})
export type LegalText = z.infer<typeof legalText>
