// One table: what a person reads for an operation and a code (specification §8). Kept in one file because it is a catalogue.
import { type ErrorName, errorCatalogue } from './catalogue.ts'

const UNKNOWN_ERROR =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'
const PERSISTS = 'If the problem persists, contact support.'
const PASSWORD_RULE =
  'The new password is not valid. Allowed special characters: - _ . , ! ? @ $ & * ^ = % : / \\ ~ + # "'
const WRONG_PASSWORD = 'Incorrect password'
const INVALID_CODE = 'Invalid authorization code provided'
const addFailed = (what: string) => `Error while creating the ${what}. ${PERSISTS}`

/** Operation number, then code. Numbers are the specification's; 239-261 as in docs/decisions/0001. */
const messages: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  20: {
    5: 'Remove the camera from the current account first, then add it again.',
    6: 'There are not enough camera slots in your subscription. Please contact your reseller.',
    7: 'There are not enough camera slots in your subscription. Please contact your reseller.',
    8: 'The camera is not ready to be added. Reset it and try again.',
  },
  32: { 3: 'Invalid credentials' },
  35: { 4: addFailed('customer'), 5: 'An account with this email address exists already.' },
  44: { 6: 'Invalid Zoho ID' },
  45: {
    3: 'The ICCID or SKU is wrong.',
    4: addFailed('mobile subscription'),
    6: 'This ICCID is in use already.',
  },
  47: { 6: 'This ICCID is in use already.' },
  51: { 3: 'The name may hold only letters and numbers.', 5: 'An API key with this name exists already.' },
  56: { 1: `There was a problem getting the edge storage information. ${PERSISTS}` },
  59: {
    1: `The camera could not be added. ${PERSISTS}`,
    3: 'The camera could not be identified or is not supported.',
    8: 'Reset the camera to factory settings or restore its default credentials, then try again.',
    13: 'Restart the camera or reset it to factory settings, then try again.',
    14: 'Check the power and the internet connection of the camera, then try again.',
  },
  60: { 1: `The video could not be exported. ${PERSISTS}`, 4: `The video could not be exported. ${PERSISTS}` },
  68: { 3: 'This is not a valid email address.' },
  71: { 5: 'A user with this email address exists already.', 6: 'The maximum number of sub-users is reached.' },
  74: { 8: WRONG_PASSWORD },
  76: { 1: `The video could not be exported. ${PERSISTS}`, 4: `The video could not be exported. ${PERSISTS}` },
  77: { 1: `The footage could not be retrieved. ${PERSISTS}`, 4: `The footage could not be retrieved. ${PERSISTS}` },
  78: { 1: `The summary could not be made. ${PERSISTS}`, 4: `The summary could not be made. ${PERSISTS}` },
  82: { 1: 'There was an error updating support access. Please try again.' },
  86: { 3: PASSWORD_RULE },
  131: { 1: `The mode of the camera could not be changed. ${PERSISTS}` },
  150: { 4: addFailed('reseller'), 5: 'A reseller with this name exists already.' },
  158: { 4: addFailed('distributor'), 5: 'A distributor with this name exists already.' },
  176: { 6: 'The account cannot be moved because its billable entity conflicts.' },
  216: { 3: PASSWORD_RULE, 8: WRONG_PASSWORD },
  217: { 5: 'A user with this email address exists already.', 8: WRONG_PASSWORD },
  226: { 1: `The time zone could not be changed. ${PERSISTS}` },
  235: { 6: 'There are not enough device slots in your subscription. Please contact your reseller.' },
  236: { 6: 'A multi-channel device cannot be deleted while cameras of its channels are attached.' },
  242: { 6: 'No camera is connected to this channel, or the channel is not available.' },
  262: { 1: INVALID_CODE, 9: INVALID_CODE },
  263: { 9: INVALID_CODE },
}

/** Codes whose cause says nothing to a person (specification §8). */
const UNKNOWN_CODES: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 20])

const titleOf = new Map<number, string>()
for (const name of Object.keys(errorCatalogue) as ErrorName[]) {
  const { code, title } = errorCatalogue[name]
  if (!titleOf.has(code)) titleOf.set(code, title)
}

/** The text for a person: the operation's own, else the general one of the code. */
export function getErrorMessage(operation: number | undefined, code: number): string {
  const own = operation === undefined ? undefined : messages[operation]?.[code]
  if (own !== undefined) return own
  if (UNKNOWN_CODES.has(code)) return UNKNOWN_ERROR
  return titleOf.get(code) ?? UNKNOWN_ERROR
}

/** Every operation that has texts of its own, for the generated reference. */
export const customMessages = messages
