import { useState } from 'react'
import {
  Button,
  Card,
  CheckList,
  Chip,
  DateField,
  DateRange,
  type DayRange,
  Details,
  FormDialog,
  OneTimeSecret,
  Select,
  SettingSwitch,
  SwitchGroup,
  TextField,
  useForm,
} from '../src/index.ts'

/** `?options=10000` for long lists. */
const count = Number(new URLSearchParams(window.location.search).get('options') ?? 300)
const cameras = Array.from({ length: count }, (_, index) => ({
  value: String(index),
  label: `Camera ${index + 1}`,
  hint: index % 2 === 0 ? 'Yard' : 'Hall',
}))

function Switches() {
  const [on, setOn] = useState({ ptz: true, export: false, deleteRecording: false })
  const set = (right: keyof typeof on) => (checked: boolean) => setOn({ ...on, [right]: checked })
  return (
    <SwitchGroup
      title="Footage"
      on={Object.values(on).filter(Boolean).length + 1}
      of={4}
      onAll={(all) => setOn({ ptz: all, export: all, deleteRecording: all })}
    >
      <SettingSwitch
        label="Live pictures"
        description="Watch cameras live."
        checked
        fixed="Every user has this right."
        onChange={() => undefined}
      />
      <SettingSwitch
        label="Move cameras"
        description="Pan, tilt and zoom cameras that can, also while others watch."
        checked={on.ptz}
        onChange={set('ptz')}
      />
      <SettingSwitch
        label="Export"
        description="Save footage as a file."
        checked={on.export}
        pending
        onChange={set('export')}
      />
      <SettingSwitch
        label="Delete recordings"
        checked={on.deleteRecording}
        fixed="You do not have this right yourself."
        onChange={set('deleteRecording')}
      />
    </SwitchGroup>
  )
}

interface Key extends Record<string, string> {
  readonly name: string
  readonly expires: string
}
const nothing: Key = { name: '', expires: '' }

function NewKey() {
  const [open, setOpen] = useState(false)
  const form = useForm(nothing, { name: (text) => (text === '' ? 'A name is required' : undefined) }, (text) => text)
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        Add an API key
      </Button>
      <FormDialog
        open={open}
        title="Add an API key"
        changed={form.changed}
        valid={form.valid}
        busy={form.busy}
        onClose={() => {
          setOpen(false)
          form.reset()
        }}
        onSubmit={form.submit(async () => setOpen(false))}
      >
        <TextField label="Name" hint="Letters and digits" {...form.field('name')} />
        <DateField label="Expires" optional="optional" {...form.field('expires')} />
        <Select label="Permission">
          <option value="read">Read only</option>
          <option value="write">Read and change</option>
        </Select>
      </FormDialog>
    </>
  )
}

/** Components for settings. */
export function SettingParts() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['1', '3']))
  const [days, setDays] = useState<DayRange>({ from: '2026-11-20', till: '2026-11-10' })
  const [towns, setTowns] = useState(['Amsterdam', 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'])
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <Switches />
      <Card title="Cameras">
        <CheckList
          label="Cameras"
          hideLabel
          searchLabel="Search cameras"
          options={cameras}
          chosen={chosen}
          onChange={setChosen}
        />
      </Card>
      <Card title="Days">
        <DateRange
          days={days}
          onChange={setDays}
          presets={[
            { label: 'Today', from: '2026-11-21', till: '2026-11-21' },
            { label: '7 days', from: '2026-11-15', till: '2026-11-21' },
          ]}
        />
        <div className="mt-4 flex flex-wrap gap-2">
          {towns.map((town) => (
            <Chip
              key={town}
              label={town}
              remove={`Remove ${town}`}
              onRemove={() => setTowns(towns.filter((one) => one !== town))}
            />
          ))}
        </div>
      </Card>
      <Card title="Details">
        <Details
          details={[
            { label: 'Name', value: 'Ada Lovelace' },
            { label: 'Email address', value: 'ada.lovelace.of.analytical.engines@example.com' },
            { label: 'Last signed in', value: '21 November 2026, 17:00' },
          ]}
        />
      </Card>
      <Card title="API key">
        <OneTimeSecret
          warning="The secret is shown this once. Store it where your program finds it."
          fields={[
            { label: 'Client id', value: 'sl_5f3a9c' },
            {
              label: 'Secret',
              value: 'k7Jd82_hQpW4vZtN0rBx6yLmC1sEaFgU',
              hint: 'Like a password: never in an address.',
            },
          ]}
          onStored={() => undefined}
        />
      </Card>
      <NewKey />
    </div>
  )
}
