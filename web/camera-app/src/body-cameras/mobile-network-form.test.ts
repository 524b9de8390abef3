import type { CameraMobileNetwork } from '@sightline/contract/mobile-networks'
import { newMobileNetwork } from '@sightline/contract/mobile-networks'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { networkBody, networkCode, networkRules, networkValues } from './mobile-network-form.ts'

const SAVED: CameraMobileNetwork = {
  cameraId: 7,
  name: 'Fleet',
  accessPointName: 'fleet.example',
  userName: 'gprs',
  needsPassword: true,
  mobileCountryCode: '310',
  mobileNetworkCode: '260',
}
const NONE = { ...SAVED, name: null, accessPointName: null, userName: null, needsPassword: false }
const NOTHING: CameraMobileNetwork = { ...NONE, mobileCountryCode: null, mobileNetworkCode: null }

test('what the form sends is what was saved, and the server takes it', () => {
  const { cameraId: _, ...network } = SAVED
  const body = networkBody(networkValues(SAVED))
  expect(body).toEqual(network)
  expect(z.safeParse(newMobileNetwork, body).success).toBe(true)
  expect(networkBody({ ...networkValues(SAVED), userName: ' ' }).userName).toBeNull()
})

test('an empty form is not valid, and says what is missing', () => {
  const empty = networkValues(NOTHING)
  expect(networkRules.name?.('', empty)).toBe('Enter a name of 1 to 64 characters')
  expect(networkRules.apn?.('', empty)).toBe('Enter the access point name (APN)')
  expect(networkRules.userName?.('two words', empty)).toBe('Use at most 64 letters, digits and signs, without spaces')
})

test('the code has the password only where the operator asks for one, and no code of a registration', () => {
  const mobile = { apn: 'fleet.example', mcc: '310', mnc: '260', userName: 'gprs' }
  expect(JSON.parse(networkCode(SAVED, 'secret') ?? '')).toEqual({ v: 1, mobile: { ...mobile, password: 'secret' } })
  const open = networkCode({ ...SAVED, needsPassword: false }, 'left from before')
  expect(JSON.parse(open ?? '')).toEqual({ v: 1, mobile })
  expect(networkCode(NOTHING, '')).toBeUndefined()
})
