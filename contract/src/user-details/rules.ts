import * as z from 'zod/mini'

/** Letters and digits of every script, `_ - space` and `. & + : , ; /` (specification §5, decision 23). */
const NAME_CHARACTERS = /^[\p{L}\p{M}\p{N}_\- .&+:,;/]*$/u
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
 * Control characters, line and paragraph separators, and what turns the direction of the text around it (marks,
 * embeddings, overrides, isolates): a name with one does not read as what it is, in a mail, a log or a list.
 */
const STEERING = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Whether a name could steer what it is shown in. The rule of every name that is not letters and digits alone. */
export const steersText = (text: string): boolean => STEERING.test(text)

/** The text to show under a field, or undefined where the value is fine (texts: specification §5, spelt right). */
export type FieldProblem = string | undefined

/** 2 to 32 characters, unless the place takes longer ones. */
export const nameProblem = (which: 'First' | 'Last', text: string, longest = 32): FieldProblem => {
  if (text.trim() === '') return `${which} name is required`
  return NAME_CHARACTERS.test(text) && lengthBetween(text, 2, longest) ? undefined : 'Please enter a valid name'
}

export const phoneProblem = (text: string): FieldProblem => {
  if (text === '') return undefined
  if (!lengthBetween(text, 2, 64)) return 'Telephone should be 2-64 characters'
  return PHONE.test(text) && /[0-9]/.test(text) ? undefined : 'This is not a valid phone number'
}

export const companyProblem = (text: string): FieldProblem => {
  if (text === '') return undefined
  return NAME_CHARACTERS.test(text) && lengthBetween(text, 2, 255) ? undefined : 'Please enter a valid Company name'
}

export const emailProblem = (text: string): FieldProblem => {
  if (text.trim() === '') return 'Please enter your email address'
  return lengthBetween(text, 8, 128) && EMAIL.test(text) ? undefined : 'Please enter a valid email address'
}

/** What two addresses are compared by: NFKC, lower case, no space around (decision 27). */
export const foldEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase()

/** A text field that a rule above decides on; the rule's text becomes the message of the field. */
export const textBy = (problem: (text: string) => FieldProblem) =>
  z.string().check((ctx) => {
    const message = problem(ctx.value)
    if (message !== undefined) ctx.issues.push({ code: 'custom', message, input: ctx.value })
  })

/** Free text of an address line; empty clears it. */
export const textBetween = (min: number, max: number) =>
  z.string().check((ctx) => {
    if (ctx.value !== '' && !lengthBetween(ctx.value, min, max)) {
      ctx.issues.push({ code: 'custom', message: `${min}-${max} characters`, input: ctx.value })
    }
  })
