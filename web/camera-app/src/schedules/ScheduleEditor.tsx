import { ApiFailure, type TaggedReply } from '@sightline/client'
import type { Schedule, ScheduleSpans } from '@sightline/contract/schedules'
import { Button, FormCard } from '@sightline/kit'
import { UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { type FormEvent, type ReactNode, useState } from 'react'
import { CHANGED_MEANWHILE } from '../right-switches/index.ts'
import { kindOrder } from './paints.ts'
import { type Plans, ScheduleFields } from './ScheduleFields.tsx'
import { useText } from './text.ts'
import { isSamePlan, toPlan, toSpans } from './week-plan.ts'

const plansOf = ({ recording, push, email }: ScheduleSpans): Plans => ({
  recording: toPlan(recording),
  push: toPlan(push),
  email: toPlan(email),
})

interface ScheduleEditorProps {
  title: string
  description: string
  saved: Schedule
  readOnly: boolean
  /** Something other than the times has changed. */
  changed?: boolean
  /** Above the times. */
  children?: ReactNode
  /** Whether the times are those of the zone, which are only shown here. */
  isOfZone?: boolean
  /** Saves the times; a failure with the HTTP status 412 means that someone else changed them. */
  onSave: (spans: ScheduleSpans) => Promise<unknown>
  onDiscard?: () => void
  /** Requests what the server has. */
  onStale: () => void
}

/** A card that changes the three schedules of a zone or camera. */
export function ScheduleEditor(props: ScheduleEditorProps) {
  const { title, description, saved, readOnly, changed = false, children, isOfZone = false, onSave, onStale } = props
  const t = useText()
  const { snackBar } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const [plans, setPlans] = useState(() => plansOf(saved))
  const before = plansOf(saved)
  const isChanged = changed || (!isOfZone && kindOrder.some((kind) => !isSamePlan(plans[kind], before[kind])))
  const submit = async () => {
    setBusy(true)
    const spans = {
      recording: [...toSpans(plans.recording)],
      push: [...toSpans(plans.push)],
      email: [...toSpans(plans.email)],
    }
    const work = async () => {
      try {
        await onSave(spans)
        return true
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.status !== 412) throw failure
        return false
      }
    }
    const done = await save(work, {
      messages: { 6: t('Cameras follow this schedule now. Without recording times, nothing would be recorded.') },
    })
    setBusy(false)
    if ('failure' in done) return
    if (done.saved) snackBar.success(t('Schedule saved'))
    else {
      snackBar.error(t.message(CHANGED_MEANWHILE))
      onStale()
    }
  }
  return (
    <FormCard
      title={title}
      description={description}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isChanged && !busy) void submit()
      }}
      footer={
        readOnly ? undefined : (
          <Button type="submit" busy={busy} disabled={!isChanged}>
            {t('Save changes')}
          </Button>
        )
      }
    >
      <UnsavedChanges
        changed={isChanged}
        onDiscard={() => {
          setPlans(plansOf(saved))
          props.onDiscard?.()
        }}
      />
      {children}
      <ScheduleFields
        plans={isOfZone ? before : plans}
        clock={saved}
        readOnly={readOnly || isOfZone}
        onChange={setPlans}
      />
    </FormCard>
  )
}

/** Identifies what the server has, so that an editor begins again with it after a save. */
export const editorKey = ({ etag, value }: TaggedReply<Schedule>): string => etag ?? JSON.stringify(value)
