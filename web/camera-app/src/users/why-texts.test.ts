import type { ExplainedStep } from '@sightline/contract/explanations'
import { describe, expect, test } from 'vitest'
import { type AccessLabels, wordsOfStep } from './why-texts.ts'

const words: AccessLabels = {
  text: (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  right: (right) => `<${right}>`,
}
const step = (given: Partial<ExplainedStep>): ExplainedStep => ({
  check: 'right',
  subject: 'ptz',
  by: 'switch',
  holds: true,
  via: null,
  sentence: 'as the server says it',
  ...given,
})

describe('the text of a step', () => {
  test.each([
    [{}, 'The “<ptz>” right is on.'],
    [{ by: 'missing', holds: false }, 'The “<ptz>” right is off.'],
    [
      { subject: 'deviceIORead', orSubject: 'deviceIOWrite', by: 'missing', holds: false },
      'Neither “<deviceIORead>” nor “<deviceIOWrite>” is on. One of these rights is needed.',
    ],
    [{ by: 'mandatory', subject: 'LiveCamera' }, 'Everyone has the “<LiveCamera>” right.'],
    [
      { by: 'profile', via: { kind: 'profile', id: 3, name: 'Guard' } },
      'The profile “Guard” includes the “<ptz>” right.',
    ],
    [{ by: 'module', holds: false }, "Your provider doesn't offer “<ptz>” for this account."],
    [
      { check: 'camera', by: 'zone', via: { kind: 'zone', id: 4, name: 'Yard' } },
      "The user has access to the camera's zone, “Yard”.",
    ],
    [{ check: 'camera', by: 'missing', holds: false }, "The user doesn't have access to the camera or its zone."],
    [{ check: 'user', by: 'blocked', holds: false }, "The user is blocked and can't do anything until unblocked."],
    [{ check: 'owner', by: 'missing', holds: false }, 'Only the account owner can do this.'],
    [{ check: 'account', by: 'suspended', holds: false }, 'The account is suspended.'],
    [{ check: 'account', by: 'owed', holds: false }, "The user hasn't accepted the subscription agreement yet."],
    [{ check: 'demoUser', by: 'switch', holds: false }, "Demo users can't change anything."],
  ] satisfies [Partial<ExplainedStep>, string][])('%j', (given, expected) => {
    expect(wordsOfStep(step(given), words)).toBe(expected)
  })

  test('an unknown kind of step shows the server’s own text', () => {
    expect(wordsOfStep(step({ check: 'weather' }), words)).toBe('as the server says it')
    expect(wordsOfStep(step({ by: 'weather' }), words)).toBe('as the server says it')
  })
})
