import { Notice } from '@sightline/kit'
import type { OwnStanding, Standstill } from './own-standing.ts'
import { type Text, useText } from './text.ts'

const sentences: Readonly<Record<Standstill, Text>> = {
  demo: 'This is a demonstration: you see everything and cannot change anything.',
  support: 'In a support session users and their rights can be seen, not changed.',
  account: 'This account is not active: nothing can be changed.',
  scope: 'This session may only look: nothing can be changed.',
}

/** Says once why nothing here can be changed. Switches name it by `id`. */
export function ReadOnly({ id, children }: { id: string; children: string | undefined }) {
  return children === undefined ? null : (
    <div id={id} className="mb-5">
      <Notice>{children}</Notice>
    </div>
  )
}

/** The sentence of somebody who sees everything and changes nothing; undefined for everybody else. */
export function useStandstill(own: OwnStanding | undefined): string | undefined {
  const t = useText()
  return own?.standstill === undefined ? undefined : t(sentences[own.standstill])
}
