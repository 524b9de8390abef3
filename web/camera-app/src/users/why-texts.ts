import type { ExplainedStep } from '@sightline/contract/explanations'
import { allRights, type Right } from '@sightline/contract/rights'
import type { Text } from './text.ts'

/** Translates texts and names of rights. */
export interface AccessLabels {
  readonly text: (text: Text, values?: Record<string, string>) => string
  readonly right: (right: Right) => string
}

type Said = readonly [text: Text, values?: Record<string, string>]

const isRight = (subject: string): subject is Right => allRights.some((right) => right === subject)

const rightTexts: Readonly<Record<string, Text>> = {
  owner: 'The account owner has every right.',
  mandatory: 'Everyone has the “{right}” right.',
  switch: 'The “{right}” right is on.',
  profile: 'The profile “{profile}” includes the “{right}” right.',
  missing: 'The “{right}” right is off.',
  module: "Your provider doesn't offer “{right}” for this account.",
  demoUser: "Demo users can't change anything.",
}

const cameraTexts: Readonly<Record<string, Text>> = {
  owner: 'The owner has access to every camera.',
  all: 'The user has access to all cameras.',
  camera: 'The user has access to the camera “{name}”.',
  zone: "The user has access to the camera's zone, “{name}”.",
  missing: "The user doesn't have access to the camera or its zone.",
}

const zoneTexts: Readonly<Record<string, Text>> = {
  owner: 'The owner has access to every camera.',
  all: 'The user has access to all cameras.',
  camera: 'The user has access to some cameras in the zone “{name}”, but not to the whole zone.',
  zone: 'The user has access to the zone “{name}”.',
  missing: "The user doesn't have access to the zone or any camera in it.",
}

const accountTexts: Readonly<Record<string, Text>> = {
  active: 'The account is active.',
  inactive: 'The account is inactive.',
  suspended: 'The account is suspended.',
  owed: "The user hasn't accepted the subscription agreement yet.",
}

const plain: Readonly<Record<string, { readonly holds: Text; readonly fails: Text }>> = {
  user: { holds: 'The user is active.', fails: "The user is blocked and can't do anything until unblocked." },
  demoUser: {
    holds: "This doesn't change anything, so demo users can do it.",
    fails: "Demo users can't change anything.",
  },
  support: { holds: 'Support sessions can do this.', fails: "Support sessions can't do this." },
  owner: { holds: 'The account owner can do this.', fails: 'Only the account owner can do this.' },
  module: {
    holds: 'Your provider offers this for the account.',
    fails: "Your provider doesn't offer this for the account.",
  },
  apiKey: { holds: 'API keys can do this.', fails: "API keys can't do this." },
  scope: { holds: 'Anyone who is signed in can do this.', fails: 'This session is read-only.' },
  caller: { holds: 'All users of the account can do this.', fails: "Only your provider's staff can do this." },
}

function said(step: ExplainedStep): Said | undefined {
  const { check, subject, orSubject, by, holds, via } = step
  const name = via?.name ?? ''
  const of = (text: Text | undefined, values: Record<string, string>): Said | undefined =>
    text === undefined ? undefined : [text, values]
  if (check === 'right' && by === 'missing' && orSubject !== undefined) {
    return [
      'Neither “{right}” nor “{otherRight}” is on. One of these rights is needed.',
      { right: subject, otherRight: orSubject },
    ]
  }
  if (check === 'right') return of(rightTexts[by], { right: subject, profile: name })
  if (check === 'camera') return of(cameraTexts[by], { name })
  if (check === 'zone') return of(zoneTexts[by], { name })
  if (check === 'account') return of(accountTexts[by], {})
  const both = plain[check]
  return both === undefined ? undefined : [holds ? both.holds : both.fails]
}

/** The step in everyday words; without a text, in the server's words. */
export function wordsOfStep(step: ExplainedStep, words: AccessLabels): string {
  const found = said(step)
  if (found === undefined) return step.sentence
  const [text, values = {}] = found
  const named = Object.entries(values).map(([name, value]) => [
    name,
    isRightName(name) && isRight(value) ? words.right(value) : value,
  ])
  return words.text(text, Object.fromEntries(named))
}

const isRightName = (name: string): boolean => name === 'right' || name === 'otherRight'
