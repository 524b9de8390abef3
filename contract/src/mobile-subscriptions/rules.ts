/** The shortest and the longest (docs/decisions/0130). */
const ICCID = /^[0-9]{18,22}$/
/** ITU-T E.118: numbers of telecommunication cards begin with 89. */
const TELECOMMUNICATION = '89'
/** Cards of these lengths carry the check digit of ITU-T E.118; others have an operator's own structure (docs/decisions/0130). */
const WITH_CHECK_DIGIT: ReadonlySet<number> = new Set([19, 20])
const SKU = /^[0-9A-Za-z](?:[0-9A-Za-z._+/-]{0,62}[0-9A-Za-z])?$/

/** Luhn's formula (ISO/IEC 7812-1): doubling every second digit from the right, the digits add up to a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** As it is stored: without the spaces and hyphens that cards print between groups of digits. */
export const normalIccid = (text: string): string => text.replaceAll(/[\s-]/g, '')

/** The message for a SIM card's number, or undefined if it is valid. */
export function iccidProblem(text: string): string | undefined {
  if (text === '') return "Enter the SIM card's ICCID"
  if (!ICCID.test(text) || !text.startsWith(TELECOMMUNICATION)) return 'An ICCID has 18 to 22 digits and starts with 89'
  return WITH_CHECK_DIGIT.has(text.length) && !hasCheckDigit(text)
    ? 'This ICCID has a typing error. Compare it with the SIM card.'
    : undefined
}

/** The message for the article number of a mobile plan, or undefined if it is valid. */
export function skuProblem(text: string): string | undefined {
  if (text === '') return 'Enter the SKU of the mobile plan'
  return SKU.test(text) ? undefined : 'An SKU has up to 64 letters, digits and . _ + / -'
}
