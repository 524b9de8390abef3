import type { Camera } from '@sightline/contract/cameras'
import { CheckList, FormDialog, Notice } from '@sightline/kit'
import { type FormEvent, useState } from 'react'
import { MAX_TILES } from './multiview-address.ts'
import { useText } from './text.ts'

interface ChooseCamerasProps {
  cameras: readonly Camera[]
  chosen: readonly number[]
  open: boolean
  onClose: () => void
  onChoose: (cameraIds: readonly number[]) => void
}

/** A dialog with the cameras of the view, nine at most. Those that stay keep their places. */
export function ChooseCameras({ cameras, chosen, open, onClose, onChoose }: ChooseCamerasProps) {
  const t = useText()
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set(chosen.map(String)))
  const isTooMany = ids.size > MAX_TILES
  const choose = (event: FormEvent) => {
    event.preventDefault()
    const kept = chosen.filter((id) => ids.has(String(id)))
    const added = cameras.map(({ cameraId }) => cameraId).filter((id) => ids.has(String(id)) && !kept.includes(id))
    onChoose([...kept, ...added])
    onClose()
  }
  return (
    <FormDialog
      title={t('Choose cameras')}
      submit={t('Show cameras')}
      changed={false}
      valid={ids.size > 0 && !isTooMany}
      sendsUnchanged
      busy={false}
      onSubmit={choose}
      {...{ open, onClose }}
    >
      <CheckList
        label={t('Cameras')}
        hideLabel
        options={cameras.map(({ cameraId, name }) => ({ value: String(cameraId), label: name }))}
        chosen={ids}
        onChange={setIds}
        searchLabel={t('Search cameras')}
      />
      {isTooMany ? <Notice mood="warning">{t('Choose nine cameras at most.')}</Notice> : null}
    </FormDialog>
  )
}
