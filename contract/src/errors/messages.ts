// One table: the text for an operation and a code (specification §8). One file, because it is a catalog.
import { type ErrorName, errorCatalogue } from './catalogue.ts'

const UNKNOWN_ERROR =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'
const PERSISTS = 'If the problem persists, contact support.'
const PASSWORD_RULE =
  'The new password is not valid. Allowed special characters: - _ . , ! ? @ $ & * ^ = % : / \\ ~ + # "'
const WRONG_PASSWORD = 'Incorrect password'
const INVALID_CODE = 'Invalid authorization code provided'
const addFailed = (what: string) => `Couldn't create the ${what}. ${PERSISTS}`

/** Operation number, then code. Numbers are the specification's; 239-261 as in docs/decisions/0001. */
const messages: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  20: {
    5: 'Remove the camera from the current account first, then add it again.',
    6: 'There are not enough camera slots in your subscription. Please contact your reseller.',
    7: 'There are not enough camera slots in your subscription. Please contact your reseller.',
    8: 'The camera is not ready to be added. Reset it and try again.',
  },
  32: { 3: 'Invalid credentials' },
  35: { 4: addFailed('customer'), 5: 'An account with this email address already exists.' },
  44: { 6: 'Invalid Zoho ID' },
  45: {
    3: 'The ICCID or SKU is wrong.',
    4: addFailed('mobile subscription'),
    6: 'This ICCID is already in use.',
  },
  47: { 6: 'This ICCID is already in use.' },
  51: { 3: 'The name can contain only letters and numbers.', 5: 'An API key with this name already exists.' },
  56: { 1: `Couldn't load edge storage information. ${PERSISTS}` },
  59: {
    1: `Couldn't add the camera. ${PERSISTS}`,
    3: "The camera couldn't be identified or isn't supported.",
    8: 'Reset the camera to factory settings or restore its default credentials, then try again.',
    13: 'Restart the camera or reset it to factory settings, then try again.',
    14: "Check the camera's power and internet connection, then try again.",
  },
  60: { 1: `Couldn't export the video. ${PERSISTS}`, 4: `Couldn't export the video. ${PERSISTS}` },
  68: { 3: 'This is not a valid email address.' },
  71: {
    5: 'A user with this email address already exists.',
    6: "You've reached the maximum number of users. To add more, contact your reseller.",
  },
  74: { 8: WRONG_PASSWORD },
  76: { 1: `Couldn't export the video. ${PERSISTS}`, 4: `Couldn't export the video. ${PERSISTS}` },
  77: { 1: `Couldn't load the recording. ${PERSISTS}`, 4: `Couldn't load the recording. ${PERSISTS}` },
  78: { 1: `Couldn't create the summary. ${PERSISTS}`, 4: `Couldn't create the summary. ${PERSISTS}` },
  82: { 1: 'There was an error updating support access. Please try again.' },
  86: { 3: PASSWORD_RULE },
  131: { 1: `Couldn't change the camera mode. ${PERSISTS}` },
  150: { 4: addFailed('reseller'), 5: 'A reseller with this name already exists.' },
  158: { 4: addFailed('distributor'), 5: 'A distributor with this name already exists.' },
  176: { 6: "Couldn't move the account because of a billable entity conflict." },
  216: { 3: PASSWORD_RULE, 8: WRONG_PASSWORD },
  217: { 5: 'A user with this email address already exists.', 8: WRONG_PASSWORD },
  226: { 1: `Couldn't change the time zone. ${PERSISTS}` },
  235: { 6: 'There are not enough device slots in your subscription. Please contact your reseller.' },
  236: { 6: "You can't delete a multi-channel device while cameras are attached to its channels." },
  242: { 6: "No camera is connected to this channel, or the channel isn't available." },
  262: { 1: INVALID_CODE, 9: INVALID_CODE },
  263: { 9: INVALID_CODE },
}

/** Codes whose cause means nothing to a user (specification §8). */
const UNKNOWN_CODES: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 20])

const titleOf = new Map<number, string>()
for (const name of Object.keys(errorCatalogue) as ErrorName[]) {
  const { code, title } = errorCatalogue[name]
  if (!titleOf.has(code)) titleOf.set(code, title)
}

/** The text for a user: the operation's own, otherwise the general one of the code. */
export function getErrorMessage(operation: number | undefined, code: number): string {
  const own = operation === undefined ? undefined : messages[operation]?.[code]
  if (own !== undefined) return own
  if (UNKNOWN_CODES.has(code)) return UNKNOWN_ERROR
  return titleOf.get(code) ?? UNKNOWN_ERROR
}

/** All operations with their own texts, for the generated reference. */
export const customMessages = messages
