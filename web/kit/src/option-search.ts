/** One entry of a searchable list. */
export interface Option {
  readonly value: string
  readonly label: string
  /** Shown next to the label, such as an offset; also searched. */
  readonly hint?: string
  /** More words to search. */
  readonly keywords?: string
}

/** A text without case and accents, for searching. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase().replaceAll('−', '-')

const partsOf = (text: string): readonly string[] =>
  fold(text)
    .split(/[\s/_(),]+/)
    .filter((word) => word !== '')

/** How well a term matches: 0 a whole hint or keyword, 2 the start of a word, 3 anywhere inside, 4 not at all. */
function rankOf(term: string, words: readonly string[], codes: readonly string[]): number {
  if (codes.includes(term)) return 0
  const all = [...words, ...codes]
  if (all.some((word) => word.startsWith(term))) return 2
  return all.some((word) => word.includes(term)) ? 3 : 4
}

/**
 * The options that match every term of `query`, best first, else in their order: exact names, names that start with it,
 * names with a word that starts with it, names that contain it. `nether` finds the Netherlands before the Caribbean
 * Netherlands, and `+2` the offset of two hours before one of twenty. Accents and case do not matter.
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
