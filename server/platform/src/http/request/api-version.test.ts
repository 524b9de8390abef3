import { expect, test } from 'vitest'
import { getRequestedVersion, underNewest } from './api-version.ts'

test.each([
  ['/rest/v2.1/zones', 'v2.1', '/rest/v2.4/zones'],
  ['/rest/v2%2E1/zones?limit=1', 'v2.1', '/rest/v2.4/zones?limit=1'],
  ['//rest//v2%2e0/zones/', 'v2.0', '//rest//v2.4/zones/'],
  ['/rest/v2.4/zones', 'v2.4', '/rest/v2.4/zones'],
  ['/rest/v2.10/zones', 'v2.4', '/rest/v2.10/zones'],
])('%s requests %s', (address, version, newest) => {
  expect(getRequestedVersion(address)).toBe(version)
  expect(underNewest(address)).toBe(newest)
})
