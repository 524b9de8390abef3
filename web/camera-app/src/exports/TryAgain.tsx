import { deleteExport, exportSpeed, type FootageExport } from '@sightline/contract/exports'
import { Button, FormDialog } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useState } from 'react'
import { ExportPassword } from './ExportPassword.tsx'
import { findWishFault, noWish, toNewExport } from './export-wish.ts'
import { useText } from './text.ts'
import { useExportsChanged, useNewExport } from './use-new-export.ts'

interface TryAgainProps {
  made: FootageExport
  title: string
}

/** The same export again, instead of the one that failed. Its password isn't kept, so it is asked for. */
function useRepeat({
  cameraIds,
  from,
  till,
  format,
  reason,
  overlay,
  watermark,
  logo,
  speed,
  name,
  exportId,
}: FootageExport) {
  const { client } = useApplication()
  const add = useNewExport()
  const changed = useExportsChanged()
  const [isBusy, setBusy] = useState(false)
  const repeat = async (password: string) => {
    setBusy(true)
    const span = { from: Date.parse(from), till: Date.parse(till) }
    const wish = {
      format,
      password,
      reason,
      name,
      overlay,
      watermark: watermark ?? '',
      logo,
      speed: exportSpeed.parse(speed),
    }
    const isAdded = await add(toNewExport({ cameraIds, span }, wish))
    // The failed one has no file; if it can't be deleted, it only stays in the list until it expires.
    if (isAdded) await client.call(deleteExport, { params: { exportId } }).catch(() => undefined)
    setBusy(false)
    if (isAdded) await changed()
    return isAdded
  }
  return { isBusy, repeat }
}

export function TryAgain({ made, title }: TryAgainProps) {
  const t = useText()
  const { isBusy, repeat } = useRepeat(made)
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="secondary"
        icon="refresh"
        busy={isBusy && !isOpen}
        aria-label={`${t('Try again')}: ${title}`}
        onClick={() => (made.hasPassword ? setOpen(true) : void repeat(''))}
      >
        {t('Try again')}
      </Button>
      <FormDialog
        open={isOpen}
        onClose={close}
        title={t('Try again')}
        submit={t('Prepare file')}
        changed={false}
        sendsUnchanged
        valid={password !== '' && findWishFault({ ...noWish, password }) === undefined}
        busy={isBusy}
        onSubmit={(event) => {
          event.preventDefault()
          void repeat(password).then((isAdded) => (isAdded ? close() : undefined))
        }}
      >
        <ExportPassword password={password} onChange={setPassword} isRequired />
      </FormDialog>
    </>
  )
}
