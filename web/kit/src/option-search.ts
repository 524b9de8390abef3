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

const words = (option: Option): readonly string[] =>
  fold(`${option.label} ${option.hint ?? ''} ${option.keywords ?? ''}`)
    .split(/[\s/_(),]+/)
    .filter((word) => word !== '')

/** How well one term is met: 0 a whole word, 1 the beginning of one, 2 somewhere inside, 3 not at all. */
function rank(term: string, of: readonly string[]): number {
  if (of.includes(term)) return 0
  if (of.some((word) => word.startsWith(term))) return 1
  return of.some((word) => word.includes(term)) ? 2 : 3
}

/**
 * The options that every term of `query` is found in, best first and else in their order: `amst` finds Amsterdam,
 * `+2` what lies two hours east before what lies twenty. Accents and case do not matter.
 */
export function searchOptions(options: readonly Option[], query: string): readonly Option[] {
  const terms = fold(query)
    .split(/[\s/_(),]+/)
    .filter((term) => term !== '')
  if (terms.length === 0) return options
  return options
    .map((option) => {
      const own = words(option)
      return { option, rank: Math.max(...terms.map((term) => rank(term, own))) }
    })
    .filter((found) => found.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map((found) => found.option)
}
