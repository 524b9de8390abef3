import type { LaterText } from '@sightline/client'
import { Icon } from '@sightline/kit'
import { useSyncExternalStore } from 'react'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.tsx'

/** Whether the server cannot be reached now, so that nothing here can be taken for the present. */
export function useConnectionLost(): boolean {
  const { connection } = useApplication()
  return useSyncExternalStore(connection.subscribe, connection.isLost)
}

/** Says over the whole width that what is shown may be out of date. The region exists from the start, so that it is read out. */
export function ConnectionLost() {
  const t = useTranslation<LaterText>()
  const isLost = useConnectionLost()
  return (
    <div role="status">
      {isLost ? (
        <p className="flex items-center justify-center gap-3 bg-warning-tint px-4 py-2 text-warning-text">
          <Icon name="offline" size={18} />
          {t('The server cannot be reached. This page goes on by itself as soon as it can.')}
        </p>
      ) : null}
    </div>
  )
}
