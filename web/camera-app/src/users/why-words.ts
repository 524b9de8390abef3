import type { ExplainedStep } from '@sightline/contract/explanations'
import { allRights, type Right } from '@sightline/contract/rights'
import type { Text } from './text.ts'

/** What puts texts and the names of rights into the language shown. */
export interface Words {
  readonly text: (text: Text, values?: Record<string, string>) => string
  readonly right: (right: Right) => string
}

type Said = readonly [text: Text, values?: Record<string, string>]

const isRight = (subject: string): subject is Right => allRights.some((right) => right === subject)

const rightTexts: Readonly<Record<string, Text>> = {
  owner: 'The owner of the account has every right.',
  mandatory: 'Everybody has the right “{right}”.',
  switch: 'The right “{right}” is switched on.',
  profile: 'The profile “{profile}” gives the right “{right}”.',
  missing: 'The right “{right}” is switched off.',
  module: 'Your provider does not offer “{right}” to this account.',
  demoUser: 'Demo users cannot change anything.',
}

const cameraTexts: Readonly<Record<string, Text>> = {
  owner: 'The owner reaches every camera.',
  all: 'All cameras are given.',
  camera: 'The camera “{name}” is given.',
  zone: 'The zone “{name}”, in which the camera is, is given.',
  missing: 'Neither the camera nor its zone is given.',
}

const zoneTexts: Readonly<Record<string, Text>> = {
  owner: 'The owner reaches every camera.',
  all: 'All cameras are given.',
  camera: 'Only single cameras of the zone “{name}” are given, not the zone.',
  zone: 'The zone “{name}” is given.',
  missing: 'The zone is not given, nor any camera in it.',
}

const accountTexts: Readonly<Record<string, Text>> = {
  active: 'The account is active.',
  inactive: 'The account is inactive.',
  suspended: 'The account is suspended.',
  owed: 'The user has yet to accept the subscription agreement.',
}

const plain: Readonly<Record<string, { readonly holds: Text; readonly fails: Text }>> = {
  user: { holds: 'The user is active.', fails: 'The user is blocked and may do nothing until unblocked.' },
  demoUser: { holds: 'This changes nothing.', fails: 'Demo users cannot change anything.' },
  support: { holds: 'A support session may do this.', fails: 'A support session may not do this.' },
  owner: { holds: 'The owner of the account may do this.', fails: 'Only the owner of the account may do this.' },
  module: {
    holds: 'Your provider offers this to the account.',
    fails: 'Your provider does not offer this to the account.',
  },
  apiKey: { holds: 'An API key may do this.', fails: 'An API key may not do this.' },
  scope: { holds: 'Being signed in is enough.', fails: 'This session may only look.' },
  caller: { holds: 'Everybody of the account may do this.', fails: 'Only staff of the provider may do this.' },
}

function said(step: ExplainedStep): Said | undefined {
  const { check, subject, by, holds, via } = step
  const name = via?.name ?? ''
  const of = (text: Text | undefined, values: Record<string, string>): Said | undefined =>
    text === undefined ? undefined : [text, values]
  if (check === 'right') return of(rightTexts[by], { right: subject, profile: name })
  if (check === 'camera') return of(cameraTexts[by], { name })
  if (check === 'zone') return of(zoneTexts[by], { name })
  if (check === 'account') return of(accountTexts[by], {})
  const both = plain[check]
  return both === undefined ? undefined : [holds ? both.holds : both.fails]
}

/** The step in words for somebody who keeps a shop; one that these screens know no words for in those of the server. */
export function wordsOfStep(step: ExplainedStep, words: Words): string {
  const found = said(step)
  if (found === undefined) return step.sentence
  const [text, values = {}] = found
  const { right } = values
  return words.text(text, right !== undefined && isRight(right) ? { ...values, right: words.right(right) } : values)
}
