import { Skeleton } from './Skeleton.tsx'

/** A class: tiles as wide as fits, for pictures. */
export const tileGridClass = 'grid gap-4 grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))]'

/** The skeleton of tiles with a picture and a name, for use in a `SkeletonGroup`. */
export const TilesSkeleton = () => (
  <div className={tileGridClass}>
    {['a', 'b', 'c', 'd'].map((tile) => (
      <span key={tile} className="block overflow-hidden rounded-lg border border-border bg-surface">
        <Skeleton className="aspect-video rounded-none" />
        <span className="block px-4 py-4">
          <Skeleton className="h-4 w-32" />
        </span>
      </span>
    ))}
  </div>
)

/** The skeleton of a search box, at the end of a title. */
export const SearchSkeleton = () => <Skeleton className="h-10 w-full pointer-coarse:h-11 sm:w-64" />

const lines = { a: 'w-3/4', b: 'w-1/2', c: 'w-2/3', d: 'w-1/3', e: 'w-1/2', f: 'w-2/3' }

/** The skeleton of a table with its search box, for use in a `SkeletonGroup`. */
export const TableSkeleton = () => (
  <div className="rounded-lg border border-border bg-surface shadow-card">
    <div className="border-b border-border p-3">
      <Skeleton className="h-10 w-full pointer-coarse:h-11 sm:w-76" />
    </div>
    {Object.entries(lines).map(([line, width]) => (
      <div key={line} className="flex h-13 items-center border-b border-border px-3 last:border-0">
        <Skeleton className={`h-4 ${width}`} />
      </div>
    ))}
  </div>
)
