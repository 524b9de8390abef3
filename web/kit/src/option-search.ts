/** One entry of a searchable list. */
export interface Option {
  readonly value: string
  readonly label: string
  /** Beside the label, such as an offset; searched too. */
  readonly hint?: string
  /** Further words to be found by. */
  readonly keywords?: string
}

/** A text without case and accents, for being looked for. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase().replaceAll('−', '-')

const partsOf = (text: string): readonly string[] =>
  fold(text)
    .split(/[\s/_(),]+/)
    .filter((word) => word !== '')

/** How well one term is met: 0 a whole hint or keyword, 2 the beginning of a word, 3 somewhere inside, 4 not at all. */
function rankOf(term: string, words: readonly string[], codes: readonly string[]): number {
  if (codes.includes(term)) return 0
  const all = [...words, ...codes]
  if (all.some((word) => word.startsWith(term))) return 2
  return all.some((word) => word.includes(term)) ? 3 : 4
}

/**
 * The options that every term of `query` is found in, best first and else in their order: what is called exactly so, what
 * begins so, what has a word that begins so, what holds it somewhere. `nether` finds the Netherlands before the Caribbean
 * Netherlands, `+2` what lies two hours east before what lies twenty. Accents and case do not matter.
 */
export function searchOptions(options: readonly Option[], query: string): readonly Option[] {
  const terms = partsOf(query)
  if (terms.length === 0) return options
  const whole = fold(query.trim())
  return options
    .map((option) => {
      const { label, hint = '', keywords = '' } = option
      const name = fold(label)
      const words = partsOf(label)
      const codes = partsOf(`${hint} ${keywords}`)
      const worst = Math.max(...terms.map((term) => rankOf(term, words, codes)))
      if (name === whole) return { option, rank: 0 }
      return { option, rank: name.startsWith(whole) ? Math.min(worst, 1) : worst }
    })
    .filter((found) => found.rank < 4)
    .sort((a, b) => a.rank - b.rank)
    .map((found) => found.option)
}
