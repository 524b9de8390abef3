import * as z from 'zod/mini'

/** Letters and digits of every script with their joiners, `_ - space` and `. & + : , ; /` (specification §5, decision 23). */
const NAME_CHARACTERS = /^(?:[\p{L}\p{M}\p{N}_\- .&+:,;/]|\u200c|\u200d)*$/u
/** Digits with the separators people write; `+` first, an extension last. */
const PHONE = /^\+?[0-9 ().\-/]{1,60}(?:(?:x|ext\.?|#) ?[0-9]{1,10})?$/i
// The HTML standard's pattern (input type=email), with a dot demanded in the domain.
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

const lengthBetween = (text: string, min: number, max: number) => {
  const length = [...text].length
  return length >= min && length <= max
}

/**
 * Control characters, line and paragraph separators, characters that change the text direction (marks, embeddings,
 * overrides, isolates), and invisible ones (soft hyphen, zero-width space, tags): with them a text is displayed
 * differently in an email, a log or a list.
 */
const STEERING =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u
/** Persian and the scripts of India are not written right without; Latin, Greek and Cyrillic letters have no use for one. */
const JOINERS_OF_LETTERS =
  /((?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/gu
const JOINERS_OF_EMOJI = /(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/gu

/**
 * Whether a text could change how the text around it is displayed. Refused in every text that one person writes and
 * another sees.
 */
export const steersText = (text: string): boolean =>
  STEERING.test(text.replace(JOINERS_OF_LETTERS, '$1').replace(JOINERS_OF_EMOJI, '$1'))

/** What a field with such a text says, where its own rule has no better words. */
export const HIDDEN_CHARACTERS = 'Remove control characters and hidden characters'

/** The message for a field, or undefined if the value is valid (texts: specification §5, spelling corrected). */
export type FieldProblem = string | undefined

const isName = (text: string): boolean => NAME_CHARACTERS.test(text) && !steersText(text)

/** 2 to 32 characters, unless the place takes longer ones. */
export const nameProblem = (which: 'First' | 'Last', text: string, longest = 32): FieldProblem => {
  if (text.trim() === '') return `${which} name is required`
  return isName(text) && lengthBetween(text, 2, longest) ? undefined : 'Please enter a valid name'
}

export const phoneProblem = (text: string): FieldProblem => {
  if (text === '') return undefined
  if (!lengthBetween(text, 2, 64)) return 'Telephone should be 2-64 characters'
  return PHONE.test(text) && /[0-9]/.test(text) ? undefined : 'This is not a valid phone number'
}

export const companyProblem = (text: string): FieldProblem => {
  if (text === '') return undefined
  return isName(text) && lengthBetween(text, 2, 255) ? undefined : 'Please enter a valid Company name'
}

export const emailProblem = (text: string): FieldProblem => {
  if (text.trim() === '') return 'Please enter your email address'
  return lengthBetween(text, 8, 128) && EMAIL.test(text) ? undefined : 'Please enter a valid email address'
}

/** What two addresses are compared by: NFKC, lower case, no space around (decision 27). */
export const foldEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase()

/** A text field that a rule above decides on; the rule's text becomes the message of the field. */
export const checkedText = (problem: (text: string) => FieldProblem) =>
  z.string().check((ctx) => {
    const message = problem(ctx.value)
    if (message !== undefined) ctx.issues.push({ code: 'custom', message, input: ctx.value })
  })

/** Free text of an address line; empty clears it. */
export const boundedText = (min: number, max: number) =>
  z.string().check((ctx) => {
    if (ctx.value !== '' && !lengthBetween(ctx.value, min, max)) {
      ctx.issues.push({ code: 'custom', message: `${min}-${max} characters`, input: ctx.value })
    } else if (steersText(ctx.value)) {
      ctx.issues.push({ code: 'custom', message: HIDDEN_CHARACTERS, input: ctx.value })
    }
  })

/** The same for what can't be left empty, such as a name. */
export const filledText = (max: number) => boundedText(1, max).check(z.minLength(1, `1-${max} characters`))

/** What a list is searched by. No name or address that it could find has a hidden character. */
export const searchText = (longest: number) =>
  z.string().check(
    z.maxLength(longest),
    z.refine((text) => !steersText(text), HIDDEN_CHARACTERS),
  )
