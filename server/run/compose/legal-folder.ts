import { join } from 'node:path'

/** The operator's folder for the legal texts of brands; every plane reads the same one. */
export const getLegalFolder = (dataFolder: string): string => join(dataFolder, 'legal')
