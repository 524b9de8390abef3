import type { SignInProblem } from '@sightline/contract/sign-in-pages'
import { fill, type Texts } from './texts.ts'

/** Why the last try did not sign in; `incorrect` is what the page calls a wrong one. */
export function problemText(problem: SignInProblem, t: Texts, incorrect: string): string {
  switch (problem.kind) {
    case 'incorrect':
      return incorrect
    case 'busy':
      return t.busy
    case 'passkey':
      return t.passkey.refused
    case 'locked':
      return problem.minutes <= 1 ? t.lockedOneMinute : fill(t.locked, { minutes: problem.minutes })
  }
}
