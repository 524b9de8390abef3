import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** Placeholders for numbers: the words next to one may have to agree with it. */
const NUMBERS: ReadonlySet<string> = new Set(
  (
    'actions cameras codes count days devices files hours left lines links months most minutes people profiles reports ' +
    'rights rows schedules seconds selected sessions times total tries used users weeks years zones'
  ).split(' '),
)

/** English words after a number that are the same in singular and plural. */
const STAYS = /^\s(?:chosen|is|more|of|on|selected)\b/

/** The compiler writes a form without placeholders as plain text, and undefined for missing forms. */
type Forms = Readonly<Record<string, readonly Token[] | string | undefined>>
type Token = string | readonly [name: string, type?: string, forms?: Forms]

interface Plural {
  readonly name: string
  readonly forms: readonly string[]
}

const tokensOf = (text: string): readonly Token[] => compileMessageOrThrow(text) as readonly Token[]

const formsOf = ([, type, forms]: Exclude<Token, string>): ReadonlyMap<string, readonly Token[]> =>
  new Map(
    Object.entries(type === 'plural' ? (forms ?? {}) : {}).flatMap(([form, said]) =>
      said === undefined ? [] : [[form, typeof said === 'string' ? [said] : said] as const],
    ),
  )

function pluralsOf(tokens: readonly Token[]): readonly Plural[] {
  return tokens.flatMap((token) => {
    if (typeof token === 'string' || token[1] !== 'plural') return []
    const forms = formsOf(token)
    return [{ name: token[0], forms: [...forms.keys()] }, ...[...forms.values()].flatMap(pluralsOf)]
  })
}

/** The first number next to a noun without plural forms, if any. */
const bareNumber = (tokens: readonly Token[]): string | undefined =>
  tokens
    .map((token, index) => ({ token, next: tokens[index + 1] }))
    .find(
      ({ token, next }) =>
        typeof token !== 'string' &&
        token.length === 1 &&
        NUMBERS.has(token[0]) &&
        typeof next === 'string' &&
        /^\s\p{L}/u.test(next) &&
        !STAYS.test(next),
    )?.token[0]

const sorted = (words: readonly string[]): string => [...words].sort().join(' ')

/** Names of a text's placeholders, including those inside plural forms. */
export function listPlaceholders(text: string): readonly string[] {
  const visit = (tokens: readonly Token[]): readonly string[] =>
    tokens.flatMap((token) =>
      typeof token === 'string' ? [] : [token[0], ...[...formsOf(token).values()].flatMap(visit)],
    )
  return [...new Set(visit(tokensOf(text)))]
}

/**
 * Errors with numbers in a text. In English a noun next to a number needs plural forms (`{count, plural, one {# camera}
 * other {# cameras}}`). Where English has them, every language needs them, with exactly the forms of its own rules.
 */
export function pluralFaults(language: string, text: string, english: string): readonly string[] {
  const tokens = tokensOf(text)
  const plurals = pluralsOf(tokens)
  const bare = language === 'en' ? bareNumber(tokens) : undefined
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const names = new Set(plurals.map(({ name }) => name))
  const lacking = pluralsOf(tokensOf(english)).filter(({ name }) => !names.has(name))
  return [
    ...(bare === undefined ? [] : [`has {${bare}} beside a word, without plural forms`]),
    ...lacking.map(({ name }) => `has no plural forms for {${name}}, which English has`),
    ...plurals
      .filter(({ forms }) => sorted(forms) !== sorted(pluralCategories))
      .map(({ name, forms }) => `has {${name}} as ${sorted(forms)}, but ${language} has ${sorted(pluralCategories)}`),
  ]
}

export const hasPlural = (text: string): boolean => pluralsOf(tokensOf(text)).length > 0
