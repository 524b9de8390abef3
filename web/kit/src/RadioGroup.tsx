import { useId } from 'react'
import { lazyModule, useLazyModule } from './lazy-module.ts'
import { type RadioGroupProps, radioClass } from './radio-option.ts'

const control = lazyModule(() => import('./popups/RadioGroupControl.tsx'))

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
        <div className="grid gap-2 sm:grid-cols-2">
          {props.options.map(({ value, label }) => (
            <span key={value} className={radioClass.option}>
              <span className={radioClass.circle} />
              {label}
            </span>
          ))}
        </div>
      ) : (
        <Module.RadioGroupControl {...props} labelId={id} />
      )}
    </div>
  )
}
