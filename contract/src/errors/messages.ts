// One table: the text for an operation and a code (specification §8). One file, because it is a catalog.
import { type ErrorName, errorCatalogue } from './catalogue.ts'

const UNKNOWN_ERROR =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'
const PERSISTS = 'If the problem persists, contact support.'
const PASSWORD_RULE =
  'The new password is not valid. Allowed special characters: - _ . , ! ? @ $ & * ^ = % : / \\ ~ + # "'
const WRONG_PASSWORD = 'Incorrect password'
const INVALID_CODE = 'Invalid authorization code provided'
const FIRMWARE_FAILED = `The firmware upgrade failed. ${PERSISTS}`
const REBOOT_FAILED = `The device couldn't be restarted. ${PERSISTS}`
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
    5: 'Remove the camera from the current account first, then add it again.',
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
  235: {
    5: 'Remove the device from the current account first, then add it again.',
    6: 'There are not enough device slots in your subscription. Please contact your reseller.',
    8: 'The device is not ready to be added. Reset it and try again.',
  },
  236: {
    3: 'Invalid credentials',
    6: "You can't delete a multi-channel device while cameras are attached to its channels.",
  },
  239: { 1: `Couldn't load the devices. ${PERSISTS}` },
  240: { 1: `Couldn't load the device. ${PERSISTS}` },
  241: {
    1: `Couldn't add the device. ${PERSISTS}`,
    3: "The device couldn't be identified or isn't supported.",
    5: 'Remove the device from the current account first, then add it again.',
    8: 'Reset the device to factory settings or restore its default credentials, then try again.',
    13: 'Restart the device or reset it to factory settings, then try again.',
    14: "Check the device's power and internet connection, then try again.",
  },
  242: {
    1: `Couldn't add the camera. ${PERSISTS}`,
    6: "No camera is connected to this channel, or the channel isn't available.",
    7: 'There are not enough camera slots in your subscription. Please contact your reseller.',
  },
  243: { 1: `Couldn't load the channels. ${PERSISTS}`, 14: `Couldn't load the channels: the device is offline.` },
  244: { 1: `Couldn't load the channel. ${PERSISTS}` },
  245: {
    1: `Couldn't load the snapshot. ${PERSISTS}`,
    13: `The device couldn't take a snapshot. ${PERSISTS}`,
    14: "Couldn't load the snapshot: the device is offline.",
    18: 'No camera is connected to this channel.',
    19: "The device didn't provide a snapshot in time. Please try again.",
  },
  246: { 1: `Couldn't load the status of the device. ${PERSISTS}` },
  247: { 1: `Couldn't load the credentials of the device. ${PERSISTS}` },
  248: { 1: `Couldn't load the connection details of the device. ${PERSISTS}` },
  249: { 1: `Couldn't load the information about the device. ${PERSISTS}` },
  250: {
    1: FIRMWARE_FAILED,
    13: FIRMWARE_FAILED,
    14: "The device is offline, so its firmware can't be upgraded.",
  },
  251: { 1: `Couldn't load the firmware of the device. ${PERSISTS}` },
  252: { 1: `Couldn't load the jobs. ${PERSISTS}` },
  253: { 1: `Couldn't load the job. ${PERSISTS}` },
  254: { 1: `Couldn't move the camera. ${PERSISTS}`, 13: `Couldn't move the camera. ${PERSISTS}` },
  255: { 1: `Couldn't load how the camera can be moved. ${PERSISTS}` },
  256: { 1: `Couldn't change the modules of the reseller. ${PERSISTS}` },
  257: { 1: `Couldn't change the maintenance. ${PERSISTS}` },
  258: { 1: `Couldn't save the device. ${PERSISTS}` },
  259: {
    1: REBOOT_FAILED,
    6: 'The device is restarting already.',
    13: REBOOT_FAILED,
    14: "The device is offline, so it can't be restarted.",
  },
  260: { 1: `Couldn't cancel the job. ${PERSISTS}`, 6: "This job has begun or ended, so it can't be canceled." },
  261: { 1: `Couldn't load the log of the device. ${PERSISTS}` },
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
