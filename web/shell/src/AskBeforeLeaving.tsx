import type { LaterText } from '@sightline/client'
import { ConfirmDialog, useUnsavedChanges } from '@sightline/kit'
import { useBlocker } from '@tanstack/react-router'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.tsx'

/**
 * Asks before the user leaves the page with a link, the back button or by closing it. Doesn't ask if the session has
 * ended.
 */
export function AskBeforeLeaving({ onDiscard }: { onDiscard: (() => void) | undefined }) {
  const { session } = useApplication()
  const t = useTranslation<LaterText>()
  useUnsavedChanges(true)
  const hold = () => session.token() !== undefined
  const blocker = useBlocker({
    // Another search or filter of the same page loses nothing.
    shouldBlockFn: ({ current, next }) => hold() && current.pathname !== next.pathname,
    enableBeforeUnload: hold,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={t('Leave without saving?')}
      confirm={t('Discard changes')}
      cancel={t('Keep editing')}
      danger
      onClose={() => blocker.reset?.()}
      onConfirm={() => {
        blocker.proceed?.()
        onDiscard?.()
      }}
    >
      {t("Your changes on this page haven't been saved.")}
    </ConfirmDialog>
  )
}
