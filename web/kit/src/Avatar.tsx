import { Icon } from './Icon.tsx'

const initial = (name: string): string => [...name.trim()][0]?.toLocaleUpperCase() ?? ''

/** A user's initials, shown next to their name. */
export function Avatar({ firstName, lastName }: { firstName: string; lastName: string }) {
  const initials = `${initial(firstName)}${initial(lastName)}`
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-xs font-semibold print:hidden"
    >
      {initials === '' ? <Icon name="user" size={18} /> : initials}
    </span>
  )
}
