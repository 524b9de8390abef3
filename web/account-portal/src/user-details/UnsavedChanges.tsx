import { ConfirmDialog } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useBlocker } from '@tanstack/react-router'
import { useText } from '../text.ts'

/** Asks before a page with changes that were not saved is left. A session that ended keeps nobody. */
export function UnsavedChanges({ changed }: { changed: boolean }) {
  const { session } = useApplication()
  const t = useText()
  const hold = () => changed && session.token() !== undefined
  const blocker = useBlocker({ shouldBlockFn: hold, enableBeforeUnload: hold, withResolver: true })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={t('Leave without saving?')}
      confirm={t('Leave')}
      cancel={t('Stay')}
      danger
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    >
      {t('Your changes on this page have not been saved.')}
    </ConfirmDialog>
  )
}
