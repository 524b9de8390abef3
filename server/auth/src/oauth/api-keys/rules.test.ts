import { describe, expect, test } from 'vitest'
import {
  changeProblem,
  type KeySettings,
  narrows,
  OVERLAP_MS,
  originProblem,
  patched,
  rotated,
  settingsProblem,
  toKeySettings,
} from './rules.ts'

const NOW = 1_000_000
const settings: KeySettings = {
  name: 'Alarm',
  scopes: ['read'],
  provisioning: false,
  expiresAt: null,
  allowedAddresses: [],
}
const caller = { accountId: 1001, userId: 1001, scopes: ['read', 'write'] }
const secret = (name: string) => Buffer.from(name)

test('a key that says nothing but its name reads, from anywhere, without end', () => {
  expect(toKeySettings({ name: 'Alarm' })).toEqual(settings)
})
test('a scope that is named twice is one', () => {
  expect(toKeySettings({ name: 'Alarm', scopes: ['write', 'write'] }).scopes).toEqual(['write'])
})
test('what a patch does not name stays, and null takes the end away', () => {
  const before = { ...settings, expiresAt: 5, provisioning: true }
  expect(patched(before, { name: 'Gate' })).toEqual({ ...before, name: 'Gate' })
  expect(patched(before, { expiresAt: null }).expiresAt).toBeNull()
})

describe('a key is refused', () => {
  test('with a scope that the token of whoever makes it lacks', () => {
    const next = { ...settings, scopes: ['read', 'write'] as const }
    expect(settingsProblem(next, { caller: { ...caller, scopes: ['write'] }, now: NOW })).toMatchObject({
      error: 'notAuthorized',
      detail: 'this token lacks the scope read',
    })
    expect(settingsProblem(next, { caller, now: NOW })).toBeUndefined()
  })
  test('with an end that has passed, unless it was so before', () => {
    const next = { ...settings, expiresAt: NOW }
    expect(settingsProblem(next, { caller, now: NOW })).toMatchObject({ fields: [{ field: 'expiresAt' }] })
    expect(settingsProblem({ ...next, name: 'Gate' }, { caller, now: NOW, before: next })).toBeUndefined()
    expect(settingsProblem({ ...next, expiresAt: NOW + 1 }, { caller, now: NOW })).toBeUndefined()
  })
  test('of a reseller by staff above it, as whom it would access other resellers', () => {
    expect(originProblem({ ...caller, accountId: 1 }, 255)?.error).toBe('notAuthorized')
    expect(originProblem({ ...caller, accountId: 255 }, 255)).toBeUndefined()
  })
  test('to be changed by anybody but whom it acts as', () => {
    expect(changeProblem(caller, { userId: 7 })?.error).toBe('notAuthorized')
    expect(changeProblem(caller, { userId: 1001 })).toBeUndefined()
  })
})

test('a scope less is narrower, one more is not', () => {
  const both = { ...settings, scopes: ['read', 'write'] as const }
  expect(narrows(both, settings)).toBe(true)
  expect(narrows(settings, both)).toBe(false)
})

describe('another secret', () => {
  const change = { sha256: secret('new'), endOldSecret: false, now: NOW }
  const older = { sha256: secret('older'), until: NOW + 5 }

  test('lets the one in use go on for a day', () => {
    expect(rotated({ sha256: secret('old'), isUsed: true, previous: older }, change)).toEqual({
      sha256: secret('new'),
      isUsed: false,
      previous: { sha256: secret('old'), until: NOW + OVERLAP_MS },
    })
  })
  test('that follows one which nobody has used yet lets the one before that go on, no longer than it was to', () => {
    expect(rotated({ sha256: secret('old'), isUsed: false, previous: older }, change).previous).toEqual(older)
  })
  test('takes the place of one that was never used where nothing older is good', () => {
    for (const previous of [undefined, { ...older, until: NOW }])
      expect(rotated({ sha256: secret('old'), isUsed: false, previous }, change).previous?.sha256).toEqual(
        secret('old'),
      )
  })
  test('leaves no other where the old one may be in wrong hands', () => {
    const ending = { ...change, endOldSecret: true }
    for (const isUsed of [true, false])
      expect(rotated({ sha256: secret('old'), isUsed, previous: older }, ending).previous).toBeUndefined()
  })
})
