import type { SignInLanguage, SignInProblem } from '@sightline/contract/sign-in-pages'
import { fill, inNumber, texts } from './texts.ts'

/** Why the last attempt failed. `incorrect` is the page's text for a wrong value. */
export function problemText(problem: SignInProblem, language: SignInLanguage, incorrect: string): string {
  const t = texts[language]
  switch (problem.kind) {
    case 'incorrect':
      return incorrect
    case 'busy':
      return t.busy
    case 'suspended':
      return fill(t.suspended, { company: problem.company })
    case 'staff':
      return fill(t.staff.problem, { company: problem.company })
    case 'passkey':
      return t.passkey.refused
    case 'demonstration':
      return t.demonstration.closed
    case 'locked':
      return inNumber(t.locked, Math.max(1, problem.minutes), language)
  }
}
