import { Skeleton } from './Skeleton.tsx'

/** A class: the width of a `SideMenu`. Without a choice, the width of the window decides. */
const widths = {
  open: 'w-52',
  folded: 'w-10 pointer-coarse:w-11',
  default: 'w-10 pointer-coarse:w-11 xl:w-52 xl:pointer-coarse:w-52',
}
const labels = { open: '', folded: 'hidden', default: 'hidden xl:block' }

/** The skeleton of a `SideMenu`, in the same place. */
export function SideMenuSkeleton({ choice = 'default' }: { choice?: keyof typeof widths }) {
  return (
    <div className={`hidden shrink-0 space-y-1 self-start py-4 lg:block ${widths[choice]}`}>
      {[1, 2, 3, 4, 5].map((item) => (
        <div key={item} className="flex h-10 items-center gap-3 px-2.5 pointer-coarse:h-11">
          <Skeleton className="size-5 shrink-0" />
          <Skeleton className={`h-4 w-28 ${labels[choice]}`} />
        </div>
      ))}
    </div>
  )
}
