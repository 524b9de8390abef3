import type { LaterText } from '@sightline/client'
import { Icon } from '@sightline/kit'
import { useSyncExternalStore } from 'react'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.tsx'

/** Whether the server can't be reached, so the screen may be out of date. */
export function useConnectionLost(): boolean {
  const { connection } = useApplication()
  return useSyncExternalStore(connection.subscribe, connection.isLost)
}

/**
 * A banner that says the content may be out of date. The live region always exists, so that screen readers announce the
 * change.
 */
export function ConnectionLost() {
  const t = useTranslation<LaterText>()
  const isLost = useConnectionLost()
  return (
    <div role="status">
      {isLost ? (
        <p className="flex items-center justify-center gap-3 bg-warning-tint px-4 py-2 text-warning-text">
          <Icon name="offline" size={18} />
          {t("Can't reach the server. This page will reconnect automatically.")}
        </p>
      ) : null}
    </div>
  )
}
