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

test('a key with only a name can read from any address and never expires', () => {
  expect(toKeySettings({ name: 'Alarm' })).toEqual(settings)
})
test('a scope named twice counts once', () => {
  expect(toKeySettings({ name: 'Alarm', scopes: ['write', 'write'] }).scopes).toEqual(['write'])
})
test("a patch keeps what it doesn't name, and null removes the expiry", () => {
  const before = { ...settings, expiresAt: 5, provisioning: true }
  expect(patched(before, { name: 'Gate' })).toEqual({ ...before, name: 'Gate' })
  expect(patched(before, { expiresAt: null }).expiresAt).toBeNull()
})

describe('a key is refused', () => {
  test("with a scope that the caller's token lacks", () => {
    const next = { ...settings, scopes: ['read', 'write'] as const }
    expect(settingsProblem(next, { caller: { ...caller, scopes: ['write'] }, now: NOW })).toMatchObject({
      error: 'notAuthorized',
      detail: 'this token lacks the scope read',
    })
    expect(settingsProblem(next, { caller, now: NOW })).toBeUndefined()
  })
  test('with an expiry in the past, unless it was already past', () => {
    const next = { ...settings, expiresAt: NOW }
    expect(settingsProblem(next, { caller, now: NOW })).toMatchObject({ fields: [{ field: 'expiresAt' }] })
    expect(settingsProblem({ ...next, name: 'Gate' }, { caller, now: NOW, before: next })).toBeUndefined()
    expect(settingsProblem({ ...next, expiresAt: NOW + 1 }, { caller, now: NOW })).toBeUndefined()
  })
  test('for a reseller by staff above it, because it could access other resellers', () => {
    expect(originProblem({ ...caller, accountId: 1 }, 255)?.error).toBe('notAuthorized')
    expect(originProblem({ ...caller, accountId: 255 }, 255)).toBeUndefined()
  })
  test('if changed by anyone except the user it acts as', () => {
    expect(changeProblem(caller, { userId: 7 })?.error).toBe('notAuthorized')
    expect(changeProblem(caller, { userId: 1001 })).toBeUndefined()
  })
})

test("removing a scope narrows a key, adding one doesn't", () => {
  const both = { ...settings, scopes: ['read', 'write'] as const }
  expect(narrows(both, settings)).toBe(true)
  expect(narrows(settings, both)).toBe(false)
})

describe('rotating the secret', () => {
  const change = { sha256: secret('new'), endOldSecret: false, now: NOW }
  const older = { sha256: secret('older'), until: NOW + 5 }

  test('keeps the secret in use for a day', () => {
    expect(rotated({ sha256: secret('old'), isUsed: true, previous: older }, change)).toEqual({
      sha256: secret('new'),
      isUsed: false,
      previous: { sha256: secret('old'), until: NOW + OVERLAP_MS },
    })
  })
  test('keeps the secret before an unused one, until its original end', () => {
    expect(rotated({ sha256: secret('old'), isUsed: false, previous: older }, change).previous).toEqual(older)
  })
  test('keeps an unused secret if no older one is valid', () => {
    for (const previous of [undefined, { ...older, until: NOW }])
      expect(rotated({ sha256: secret('old'), isUsed: false, previous }, change).previous?.sha256).toEqual(
        secret('old'),
      )
  })
  test('keeps no old secret on request', () => {
    const ending = { ...change, endOldSecret: true }
    for (const isUsed of [true, false])
      expect(rotated({ sha256: secret('old'), isUsed, previous: older }, ending).previous).toBeUndefined()
  })
})
