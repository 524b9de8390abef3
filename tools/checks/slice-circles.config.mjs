// Circular dependencies between folders, which rules on files can't detect. Separate from .dependency-cruiser.mjs, because
// tests don't count here: a test may use any slice.
import { forbid, options, TEST } from '../../.dependency-cruiser.mjs'

export default {
  forbidden: [
    {
      ...forbid(
        'no-slice-circles',
        'Two slices that need each other are one slice, or miss a third.',
        { path: '^(contract|server|web|camera-simulator)/' },
        { circular: true },
      ),
      scope: 'folder',
    },
  ],
  options: { ...options, exclude: { path: [...options.exclude.path, TEST, '^server/platform/src/db-testing/'] } },
}
