import { useState } from 'react'
import {
  Button,
  Card,
  ConfirmDialog,
  Dialog,
  Menu,
  type Option,
  PasswordField,
  SearchSelect,
  Select,
  Switch,
  TextField,
} from '../src/index.ts'

const countries: readonly Option[] = ['Caribbean Netherlands', 'Germany', 'Netherlands', 'New Zealand', 'Norway'].map(
  (label) => ({ value: label, label }),
)

/** `?options=10000` adds a longer list. */
const count = Number(new URLSearchParams(window.location.search).get('options') ?? 0)
const streets: readonly Option[] = Array.from({ length: count }, (_, index) => ({
  value: String(index + 1),
  label: `Street ${index + 1}`,
}))

function Fields() {
  const [country, setCountry] = useState('Norway')
  const [zone, setZone] = useState('Germany')
  const [street, setStreet] = useState('300')
  return (
    <div className="space-y-4">
      <TextField label="Company" optional="optional" />
      <PasswordField label="Current password" />
      <Select label="Language">
        <option>English</option>
        <option>Nederlands</option>
      </Select>
      <SearchSelect
        label="Country"
        optional="optional"
        placeholder="Select a country"
        searchHint="Search by name"
        value={country}
        valueLabel={country}
        options={() => countries}
        onChange={setCountry}
      />
      <SearchSelect label="Home" value={zone} valueLabel={zone} options={() => countries} onChange={setZone} />
      {count === 0 ? null : (
        <SearchSelect
          label="Street"
          value={street}
          valueLabel={`Street ${street}`}
          options={() => streets}
          onChange={setStreet}
        />
      )}
    </div>
  )
}

function Dialogs() {
  const [open, setOpen] = useState<'message' | 'question'>()
  const close = () => setOpen(undefined)
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpen('message')}>
        Show details
      </Button>
      <Button variant="danger" aria-haspopup="dialog" onClick={() => setOpen('question')}>
        Delete key
      </Button>
      <Menu
        label="More actions"
        trigger="More"
        triggerClass="control px-3"
        items={[
          { label: 'Small', current: true },
          { label: 'Large', current: false },
          { kind: 'line' },
          { label: 'Delete', icon: 'trash', danger: true, onSelect: () => setOpen('question') },
        ]}
      />
      <Dialog open={open === 'message'} title="Details of the key" onClose={close}>
        Created on 21 November 2026.
      </Dialog>
      <ConfirmDialog
        open={open === 'question'}
        title="Delete this key?"
        confirm="Delete"
        danger
        onClose={close}
        onConfirm={close}
      >
        Programs that use it are signed out.
      </ConfirmDialog>
    </div>
  )
}

/** Form controls, dialogs and popups. */
export function ControlParts() {
  const [on, setOn] = useState(false)
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <Card title="Fields">
        <Fields />
      </Card>
      <Card title="Switches and windows">
        <Switch label="Monthly report" description="By mail." checked={on} onChange={setOn} />
        <Dialogs />
      </Card>
    </div>
  )
}
