import { auditGroups } from '@sightline/contract/audit-logs'
import { describe, expect, it } from 'vitest'
import { actionChoices, actionLabel } from './action-labels.ts'

const known = [
  { action: 'patchZone', group: 'zones' },
  { action: 'logout', group: 'signIn' },
  { action: 'deleteCurrentToken', group: 'signIn' },
  { action: 'patchResellerTheme', group: 'dealer' },
] as const

describe('the words for actions', () => {
  it('are the same for what is the same to a person, which is ticked once', () => {
    expect(actionChoices(known, auditGroups)).toEqual([
      { text: 'Signed out', group: 'signIn', actions: ['logout', 'deleteCurrentToken'] },
      { text: 'Zone changed', group: 'zones', actions: ['patchZone'] },
    ])
  })

  it('are missing for what only a dealer’s own log can hold', () => {
    expect(actionLabel('patchResellerTheme')).toBeUndefined()
  })
})
