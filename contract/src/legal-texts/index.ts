import * as z from 'zod/mini'

/**
 * The legal pages that a brand can replace (decision 20). The cookie policy is not one of them, because it describes
 * the code.
 */
export const legalPages = ['terms', 'subscriptionagreement', 'aditerms'] as const
export type LegalPage = (typeof legalPages)[number]

/** The address of the texts on a brand's host, followed by the page. */
export const LEGAL_TEXTS_PATH = '/legal-texts/'

/** The page at that address, if there is one. */
export const findLegalPage = (path: string): LegalPage | undefined =>
  path.startsWith(LEGAL_TEXTS_PATH)
    ? legalPages.find((page) => page === path.slice(LEGAL_TEXTS_PATH.length))
    : undefined

/** In English, the binding language. */
export const legalText = z.object({
  /** Changes with the text; at most 64 characters. */
  version: z.string(),
  /** The template, because the brand hasn't replaced it. */
  isTemplate: z.boolean(),
  /**
   * A subset of Markdown: `#` and `##` headings with an optional `{#anchor}`, paragraphs, lists with `-`, and
   * `**strong**`. `{company}` becomes the brand's name.
   */
  text: z.string(),
})
export type LegalText = z.infer<typeof legalText>
