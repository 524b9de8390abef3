import { useState } from 'react'
import { Card, DateField, DateTimeField, RadioGroup, TickBox, TimeField } from '../src/index.ts'

/** Dates, times, and a choice of a few. */
export function DateParts() {
  const [values, setValues] = useState({
    day: '',
    through: '2026-11-21',
    moment: '2026-11-21T17:30',
    time: '06:00',
    second: '2026-11-21T17:30:05',
  })
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setValues({ ...values, [name]: event.target.value }),
  })
  const [type, setType] = useState('cloud')
  const [agreed, setAgreed] = useState(false)
  return (
    <Card title="Dates and times">
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <DateField label="Birthday" optional="optional" hint="Leave empty if unknown." {...field('day')} />
        <DateField
          label="Valid through"
          required
          min="2026-11-10"
          max="2026-12-24"
          today="2026-11-20"
          {...field('through')}
        />
        <DateTimeField label="Until" {...field('moment')} />
        <TimeField label="Time of day" {...field('time')} />
        <DateTimeField label="Exactly" withSeconds {...field('second')} />
        <DateField label="Day of birth" disabled value="2026-11-21" onChange={() => undefined} />
      </div>
      <output className="mt-4 block font-mono text-xs text-muted" aria-label="Values">
        {Object.values(values).join(' ')}
      </output>
      <div className="mt-4 max-w-xl">
        <RadioGroup
          label="Type"
          options={[
            { value: 'cloud', label: 'Cloud storage' },
            { value: 'live', label: 'Live only' },
          ]}
          value={type}
          onChange={setType}
        />
        <label htmlFor="agreed" className="mt-4 flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
          <TickBox id="agreed" checked={agreed} onChange={setAgreed} />I agree
        </label>
      </div>
    </Card>
  )
}
