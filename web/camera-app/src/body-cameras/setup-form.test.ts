import { newSetupCode, postSetupCode } from '@sightline/contract/body-cameras'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { countdown, emptySetup, setupBody, setupRules } from './setup-form.ts'

const filled = { ...emptySetup('7'), name: ' Patrol 1 ', ssid: 'Yard', apn: 'internet', mcc: '204', mnc: '04' }

test('only the chosen network is sent, and the server takes it', () => {
  expect(setupBody(filled)).toEqual({ name: 'Patrol 1', zoneId: 7, wifi: { ssid: 'Yard', password: '' } })
  const mobile = setupBody({ ...filled, network: 'mobile', userName: 'gprs' })
  expect(mobile).toEqual({
    name: 'Patrol 1',
    zoneId: 7,
    mobile: { apn: 'internet', mcc: '204', mnc: '04', userName: 'gprs' },
  })
  for (const body of [setupBody(filled), mobile]) expect(z.safeParse(postSetupCode.body, body).success).toBe(true)
  expect(newSetupCode).toBeDefined()
})

test('the fields of the other network are not checked', () => {
  const wifi = emptySetup('7')
  expect(setupRules.ssid?.('', wifi)).toBe('Enter the name of the Wi-Fi network')
  expect(setupRules.apn?.('', wifi)).toBeUndefined()
  const mobile = { ...wifi, network: 'mobile' as const }
  expect(setupRules.ssid?.('', mobile)).toBeUndefined()
  expect(setupRules.mcc?.('20', mobile)).toBe('A country code has 3 digits')
})

test('the countdown ends at 0:00', () => {
  expect([countdown(1_800_000), countdown(247_001), countdown(-5)]).toEqual(['30:00', '4:08', '0:00'])
})
