import { describe, expect, it } from 'vitest'
import { customMessages, getErrorMessage } from './messages.ts'

const UNKNOWN =
  'The application has encountered an unknown error, try again later. If the problem persists, contact support.'
const PERSISTS = 'If the problem persists, contact support.'
const PASSWORD = 'The new password is not valid. Allowed special characters: - _ . , ! ? @ $ & * ^ = % : / \\ ~ + # "'

const NO_SLOTS = 'There are not enough camera slots in your subscription. Please contact your reseller.'
const removeFirst = (what: string) => `Remove the ${what} from the current account first, then add it again.`
const resetIt = (what: string) =>
  `Reset the ${what} to factory settings or restore its default credentials, then try again.`

describe('error messages about cameras and devices (specification §8)', () => {
  it.each([
    ['adding a camera', 20, 5, removeFirst('camera')],
    ['adding a camera', 20, 6, NO_SLOTS],
    ['adding a camera', 20, 7, NO_SLOTS],
    ['adding a camera', 20, 8, 'The camera is not ready to be added. Reset it and try again.'],
    ['removing a camera', 32, 3, 'Invalid credentials'],
    ['a mobile subscription', 45, 3, 'The ICCID or SKU is wrong.'],
    ['a mobile subscription', 45, 4, `Couldn't create the mobile subscription. ${PERSISTS}`],
    ['a mobile subscription', 45, 6, 'This ICCID is already in use.'],
    ['changing a mobile subscription', 47, 6, 'This ICCID is already in use.'],
    ['edge storage', 56, 1, `Couldn't load edge storage information. ${PERSISTS}`],
    ['an addition', 59, 1, `Couldn't add the camera. ${PERSISTS}`],
    ['an addition', 59, 3, "The camera couldn't be identified or isn't supported."],
    ['an addition', 59, 8, resetIt('camera')],
    ['an addition', 59, 13, 'Restart the camera or reset it to factory settings, then try again.'],
    ['an addition', 59, 14, "Check the camera's power and internet connection, then try again."],
    ['an export', 60, 1, `Couldn't export the video. ${PERSISTS}`],
    ['an export', 60, 4, `Couldn't export the video. ${PERSISTS}`],
    ['the download of an export', 76, 4, `Couldn't export the video. ${PERSISTS}`],
    ['the address of an MP4 file', 77, 1, `Couldn't load the recording. ${PERSISTS}`],
    ['the address of an MP4 file', 77, 4, `Couldn't load the recording. ${PERSISTS}`],
    ['a summary', 78, 4, `Couldn't create the summary. ${PERSISTS}`],
    ['the mode of a camera', 131, 1, `Couldn't change the camera mode. ${PERSISTS}`],
    ['adding a device', 235, 5, removeFirst('device')],
    ['adding a device', 235, 6, NO_SLOTS.replace('camera', 'device')],
    ['adding a device', 235, 8, 'The device is not ready to be added. Reset it and try again.'],
    ['removing a device', 236, 3, 'Invalid credentials'],
    [
      'removing a device',
      236,
      6,
      "You can't delete a multi-channel device while cameras are attached to its channels.",
    ],
    ['devices', 239, 1, `Couldn't load the devices. ${PERSISTS}`],
    ['a device', 240, 1, `Couldn't load the device. ${PERSISTS}`],
    ['an addition of a device', 241, 1, `Couldn't add the device. ${PERSISTS}`],
    ['an addition of a device', 241, 3, "The device couldn't be identified or isn't supported."],
    ['an addition of a device', 241, 8, resetIt('device')],
    ['an addition of a device', 241, 13, 'Restart the device or reset it to factory settings, then try again.'],
    ['an addition of a device', 241, 14, "Check the device's power and internet connection, then try again."],
    ['a channel as camera', 242, 1, `Couldn't add the camera. ${PERSISTS}`],
    ['a channel as camera', 242, 6, "No camera is connected to this channel, or the channel isn't available."],
    ['a channel as camera', 242, 7, NO_SLOTS],
    ['channels', 243, 1, `Couldn't load the channels. ${PERSISTS}`],
    ['channels', 243, 14, "Couldn't load the channels: the device is offline."],
    ['a channel', 244, 1, `Couldn't load the channel. ${PERSISTS}`],
    ['a snapshot of a channel', 245, 13, `The device couldn't take a snapshot. ${PERSISTS}`],
    ['a snapshot of a channel', 245, 14, "Couldn't load the snapshot: the device is offline."],
    ['a snapshot of a channel', 245, 18, 'No camera is connected to this channel.'],
    ['a snapshot of a channel', 245, 19, "The device didn't provide a snapshot in time. Please try again."],
    ['the status of a device', 246, 1, `Couldn't load the status of the device. ${PERSISTS}`],
    ['credentials of a device', 247, 1, `Couldn't load the credentials of the device. ${PERSISTS}`],
    ['the connection of a device', 248, 1, `Couldn't load the connection details of the device. ${PERSISTS}`],
    ['information about a device', 249, 1, `Couldn't load the information about the device. ${PERSISTS}`],
    ['a firmware upgrade', 250, 13, `The firmware upgrade failed. ${PERSISTS}`],
    ['a firmware upgrade', 250, 14, "The device is offline, so its firmware can't be upgraded."],
    ['firmware', 251, 1, `Couldn't load the firmware of the device. ${PERSISTS}`],
    ['jobs', 252, 1, `Couldn't load the jobs. ${PERSISTS}`],
    ['a job', 253, 1, `Couldn't load the job. ${PERSISTS}`],
    ['moving a camera', 254, 13, `Couldn't move the camera. ${PERSISTS}`],
    ['what moves', 255, 1, `Couldn't load how the camera can be moved. ${PERSISTS}`],
    ['modules of a reseller', 256, 1, `Couldn't change the modules of the reseller. ${PERSISTS}`],
    ['maintenance', 257, 1, `Couldn't change the maintenance. ${PERSISTS}`],
    ['changing a device', 258, 1, `Couldn't save the device. ${PERSISTS}`],
    ['restarting a device', 259, 6, 'The device is restarting already.'],
    ['restarting a device', 259, 14, "The device is offline, so it can't be restarted."],
    ['canceling a job', 260, 6, "This job has begun or ended, so it can't be canceled."],
    ['the log of a device', 261, 1, `Couldn't load the log of the device. ${PERSISTS}`],
  ])('%s (%i), code %i', (_, operation, code, text) => {
    expect(getErrorMessage(operation, code)).toBe(text)
  })

  it.each([12, 14, 18, 19])('code %i of a device has a general text where an operation has none', (code) => {
    expect(getErrorMessage(undefined, code)).not.toBe(UNKNOWN)
  })
})

describe('error messages about users, rights, keys, support and dealers (specification §8)', () => {
  it.each([
    ['adding an account', 35, 4, `Couldn't create the customer. ${PERSISTS}`],
    ['adding an account', 35, 5, 'An account with this email address already exists.'],
    ['an API key', 51, 3, 'The name can contain only letters and numbers.'],
    ['an API key', 51, 5, 'An API key with this name already exists.'],
    ['requesting a password link', 68, 3, 'This is not a valid email address.'],
    ['adding a user', 71, 5, 'A user with this email address already exists.'],
    ['adding a user', 71, 6, "You've reached the maximum number of users. To add more, contact your reseller."],
    ['checking the password', 74, 8, 'Incorrect password'],
    ['support access', 82, 1, 'There was an error updating support access. Please try again.'],
    ['setting a password', 86, 3, PASSWORD],
    ['adding a reseller', 150, 4, `Couldn't create the reseller. ${PERSISTS}`],
    ['adding a reseller', 150, 5, 'A reseller with this name already exists.'],
    ['adding a distributor', 158, 4, `Couldn't create the distributor. ${PERSISTS}`],
    ['adding a distributor', 158, 5, 'A distributor with this name already exists.'],
    ['moving an account', 176, 6, "Couldn't move the account because of a billable entity conflict."],
    ['changing the password', 216, 3, PASSWORD],
    ['changing the password', 216, 8, 'Incorrect password'],
    ['changing name or address', 217, 5, 'A user with this email address already exists.'],
    ['changing name or address', 217, 8, 'Incorrect password'],
    ['the time zone of the account', 226, 1, `Couldn't change the time zone. ${PERSISTS}`],
  ])('%s (%i), code %i', (_, operation, code, text) => {
    expect(getErrorMessage(operation, code)).toBe(text)
  })

  it.each([1, 2, 3, 4, 6, 20])('code %i without its own message is an unknown error', (code) => {
    expect(getErrorMessage(undefined, code)).toBe(UNKNOWN)
  })

  it('a code with a standard message uses it for operations without their own message', () => {
    const duplicate =
      'The new resource could not be created as a resource with the same identifying information already exists'
    expect([getErrorMessage(undefined, 5), getErrorMessage(82, 5)]).toEqual([duplicate, duplicate])
    expect(getErrorMessage(undefined, 4711)).toBe(UNKNOWN)
  })

  it('every message that ends with a request to contact support uses the same words', () => {
    const texts = Object.values(customMessages).flatMap((ofOperation) => Object.values(ofOperation))
    const asking = texts.filter((text) => text.includes('contact support'))
    expect(asking.length).toBeGreaterThan(5)
    expect(asking.filter((text) => !text.endsWith(PERSISTS))).toEqual([])
  })
})
