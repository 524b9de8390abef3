import { useId } from 'react'
import { lazyModule, useLazyModule } from './lazy-module.ts'
import { hasDescriptions, type RadioGroupProps } from './radio-option.ts'

const control = lazyModule(() => import('./popups/RadioGroupControl.tsx'))

/** The look of one option and of its circle, before its control is loaded too. */
const radioClass = {
  option:
    'flex min-h-10 cursor-pointer items-center gap-3 rounded-md border border-outline px-4 py-2 pointer-coarse:min-h-11 has-data-checked:border-control has-data-checked:bg-tint',
  described: 'items-start py-3',
  grid: 'grid gap-2 sm:grid-cols-2',
  list: 'grid gap-2',
  circle: 'inline-flex size-4.5 shrink-0 items-center justify-center rounded-full border border-outline bg-surface',
} as const

/** One of a few options that are all seen. Its circles are empty until their control is loaded. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const id = useId()
  const Module = useLazyModule(control, true)
  return (
    <div>
      <p id={id} className="mb-1.5 font-medium">
        {props.label}
      </p>
      {Module === undefined ? (
        <div className={hasDescriptions(props.options) ? radioClass.list : radioClass.grid}>
          {props.options.map(({ value, label, description }) => (
            <span
              key={value}
              className={`${radioClass.option} ${description === undefined ? '' : radioClass.described}`}
            >
              <span className={radioClass.circle} />
              <span>
                {label}
                {description === undefined ? null : <span className="block text-muted">{description}</span>}
              </span>
            </span>
          ))}
        </div>
      ) : (
        <Module.RadioGroupControl {...props} labelId={id} classes={radioClass} />
      )}
    </div>
  )
}
