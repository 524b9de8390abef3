import { ApiFailure, type TaggedReply } from '@sightline/client'
import { areaFault, type DetectionArea, MAX_AREAS, putDetectionAreas } from '@sightline/contract/detectors'
import { Button, Card, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { CHANGED_MEANWHILE, ifMatch } from '../right-switches/index.ts'
import { AreaCanvas } from './AreaCanvas.tsx'
import { AreaList } from './AreaList.tsx'
import { type AreaKind, isSameAreas, startEditing, undo, withNewArea } from './area-shapes.ts'
import { DetectionPicture } from './DetectionPicture.tsx'
import { detectorQueries } from './detector-queries.ts'
import { type Text, useText } from './text.ts'

const kinds: readonly { readonly kind: AreaKind; readonly add: Text; readonly name: Text }[] = [
  { kind: 'intrusion', add: 'Add area', name: 'Area {number}' },
  { kind: 'exclusion', add: 'Add excluded area', name: 'Excluded area {number}' },
  { kind: 'tripwire', add: 'Add tripwire', name: 'Tripwire {number}' },
]

interface EditorProps extends SettingsTabProps {
  tagged: TaggedReply<DetectionArea[]>
}

/** Saves the areas; 'stale' if someone else changed them first. */
function useSaveAreas({ camera, tagged }: EditorProps) {
  const t = useText()
  const { client, queries, snackBar } = useApplication()
  const save = useSave()
  const { areas: query } = detectorQueries(client, camera.cameraId)
  const failed = t('Error saving areas. Try again. Contact support if the problem persists.')
  return async (areas: readonly DetectionArea[]) => {
    const call = { params: { cameraId: camera.cameraId }, body: [...areas] }
    const work = async () => {
      try {
        queries.setQueryData(query.queryKey, await client.tagged(putDetectionAreas, call, { headers: ifMatch(tagged) }))
        return true
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.status !== 412) throw failure
        return false
      }
    }
    const done = await save(work, { messages: Object.fromEntries([1, 2, 3, 4, 6, 20].map((code) => [code, failed])) })
    if (!('saved' in done)) return
    if (done.saved) snackBar.success(t('Detection areas saved'))
    else {
      snackBar.error(t.message(CHANGED_MEANWHILE))
      await queries.invalidateQueries({ queryKey: query.queryKey })
    }
  }
}

function Editor(props: EditorProps) {
  const { camera, status, tagged, readOnly } = props
  const t = useText()
  const saveAreas = useSaveAreas(props)
  const [editing, setEditing] = useState(() => startEditing(tagged.value))
  const [selected, select] = useState<number | undefined>(tagged.value[0]?.areaId)
  const [busy, setBusy] = useState(false)
  const isReadOnly = readOnly !== undefined
  const isChanged = !isSameAreas(editing.areas, tagged.value)
  const faults = editing.areas.filter((area) => areaFault(area) !== undefined)
  const nameOf = ({ areaId, kind }: DetectionArea) =>
    t(kinds.find((one) => one.kind === kind)?.name ?? 'Area {number}', { number: areaId })
  const add = (kind: AreaKind) => {
    const next = withNewArea(editing, kind)
    setEditing(next)
    select(next.areas.at(-1)?.areaId)
  }
  const submit = async () => {
    setBusy(true)
    await saveAreas(editing.areas)
    setBusy(false)
  }
  const parts = { editing, selected, nameOf, readOnly: isReadOnly, onSelect: select, onChange: setEditing }
  return (
    <Card
      title={t('Detection areas')}
      description={t(
        'With areas, motion counts only inside them. Excluded areas never count. A tripwire reports what crosses it.',
      )}
      footer={
        isReadOnly ? undefined : (
          <>
            <Button variant="secondary" disabled={!isChanged} onClick={() => setEditing(startEditing(tagged.value))}>
              {t('Reset')}
            </Button>
            <Button busy={busy} disabled={!isChanged || faults.length > 0} onClick={() => void submit()}>
              {t('Save changes')}
            </Button>
          </>
        )
      }
    >
      <UnsavedChanges changed={isChanged} onDiscard={() => setEditing(startEditing(tagged.value))} />
      {isReadOnly ? null : (
        <div className="mb-4 flex flex-wrap gap-2">
          {kinds.map(({ kind, add: label }) => (
            <Button
              key={kind}
              variant="secondary"
              icon="plus"
              disabled={editing.areas.length >= MAX_AREAS}
              onClick={() => add(kind)}
            >
              {t(label)}
            </Button>
          ))}
          <Button
            variant="quiet"
            icon="skipBack"
            disabled={editing.before.length === 0}
            onClick={() => setEditing(undo(editing))}
          >
            {t('Undo')}
          </Button>
        </div>
      )}
      <div className="grid gap-5 xl:grid-cols-[1fr_18rem]">
        <div className="min-w-0">
          <DetectionPicture camera={camera} status={status}>
            <AreaCanvas {...parts} />
          </DetectionPicture>
          <p className="mt-2 text-xs text-muted">
            {t('Drag points to move them. With the keyboard: arrow keys move a point, Delete removes it.')}
          </p>
        </div>
        <div className="min-w-0">
          <p aria-live="polite" className={faults.length > 0 ? 'mb-2 text-danger-text' : 'sr-only'}>
            {faults.length > 0
              ? t('{name} is too small, or its lines cross. Move its points.', { name: faults.map(nameOf).join(', ') })
              : ''}
          </p>
          {editing.areas.length === 0 ? (
            <p className="text-muted">{t('No areas yet. Motion counts in the whole picture.')}</p>
          ) : (
            <AreaList {...parts} />
          )}
        </div>
      </div>
    </Card>
  )
}

/** Where motion counts in a camera's picture, and the lines whose crossing is reported. */
export function AreasTab(props: SettingsTabProps) {
  const { client } = useApplication()
  const areas = useQuery(detectorQueries(client, props.camera.cameraId).areas)
  return (
    <Loaded
      asked={[areas]}
      place={
        <SkeletonGroup>
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(tagged) => <Editor key={tagged.etag} {...props} tagged={tagged} />}
    </Loaded>
  )
}
