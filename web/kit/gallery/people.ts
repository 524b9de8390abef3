/** Somebody in a list of the gallery. */
export interface Person {
  readonly id: number
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly cameras: number
  readonly blocked: boolean
  /** `yyyy-mm-dd`; null for who never came. */
  readonly lastLogin: string | null
}

const firstNames = ['Ada', 'Grace', 'Björn', 'Chiara', 'Şule', 'Łukasz', 'Yuki', 'Inês', 'Noor', 'Søren']
const lastNames = ['Lovelace', 'Hopper', 'Ångström', 'Rossi', 'Yılmaz', 'Nowak', 'Tanaka', 'Ferreira', 'de Vries']

const of = (names: readonly string[], index: number): string => names[index % names.length] ?? ''

/** So many people, always the same. */
export const people = (count: number): readonly Person[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    firstName: of(firstNames, index * 7),
    lastName: of(lastNames, index * 5),
    email: `person.${index + 1}@example.com`,
    cameras: (index * 37) % 200,
    blocked: index % 11 === 3,
    lastLogin: index % 5 === 4 ? null : `2026-11-${String((index % 20) + 1).padStart(2, '0')}`,
  }))
