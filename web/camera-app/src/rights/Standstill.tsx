import { Notice } from '@sightline/kit'
import type { OwnPermissions, ReadOnlyReason } from './own-permissions.ts'
import { type Text, useText } from './text.ts'

const sentences: Readonly<Record<ReadOnlyReason, Text>> = {
  demo: "This is a demo. You can look around, but you can't change anything.",
  support: "You can view users and their rights during a support session, but you can't change them.",
  account: "This account isn't active, so you can't change anything.",
  scope: "This session is read-only, so you can't change anything.",
}

/** Says once why nothing here can be changed. Switches refer to it by `id`. */
export function ReadOnly({ id, children }: { id: string; children: string | undefined }) {
  return children === undefined ? null : (
    <div id={id} className="mb-5">
      <Notice>{children}</Notice>
    </div>
  )
}

/** The sentence for users with read-only access; undefined for all others. */
export function useReadOnlyReason(own: OwnPermissions | undefined): string | undefined {
  const t = useText()
  return own?.standstill === undefined ? undefined : t(sentences[own.standstill])
}
