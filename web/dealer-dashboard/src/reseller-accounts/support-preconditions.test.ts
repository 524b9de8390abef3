import { allModules, type Modules } from '@sightline/contract/rights'
import { describe, expect, it } from 'vitest'
import { supportPreconditions, videoText } from './support-preconditions.ts'

const NOW = Date.UTC(2026, 10, 21)
const modules = (on: boolean) => Object.fromEntries(allModules.map((module) => [module, on])) as Modules
const account = {
  status: 'active',
  allowsHelpdeskExpirationDate: new Date(NOW + 1000).toISOString(),
  allowsHelpdeskShowVideo: false,
} as const
const open = { account, modules: modules(true), mayGenerate: true, now: NOW }
const missing = (asked: Parameters<typeof supportPreconditions>[0]) =>
  supportPreconditions(asked)
    .filter(({ holds }) => !holds)
    .map(({ what }) => what)

describe('the preconditions of a support session', () => {
  it('are met with permission, module, active account and grant', () => {
    expect(missing(open)).toEqual([])
  })

  it('are named individually if not met', () => {
    expect(missing({ ...open, mayGenerate: false })).toEqual(['You have permission to start support sessions'])
    expect(missing({ ...open, modules: modules(false) })).toEqual(['The reseller has the Support sessions module'])
    const suspended = { ...account, status: 'suspended' } as const
    expect(missing({ ...open, account: suspended })).toEqual(["The account isn't suspended"])
  })

  it('show whether video is visible only while the owner allows support in an account that works', () => {
    const visible = { ...account, allowsHelpdeskShowVideo: true }
    expect(videoText(account, NOW)).toMatch(/^Video is hidden/)
    expect(videoText(visible, NOW)).toBe('Video is visible')
    for (const of of [account, visible]) {
      expect(videoText(of, NOW + 1000)).toBeUndefined()
      expect(videoText({ ...of, allowsHelpdeskExpirationDate: null }, NOW)).toBeUndefined()
      expect(videoText({ ...of, status: 'suspended' }, NOW)).toBeUndefined()
    }
  })

  it('require a grant that has not expired', () => {
    const never = { ...account, allowsHelpdeskExpirationDate: null }
    expect(missing({ ...open, account: never })).toEqual(['The owner allows support access'])
    expect(missing({ ...open, now: NOW + 1000 })).toEqual(['The owner allows support access'])
  })
})
