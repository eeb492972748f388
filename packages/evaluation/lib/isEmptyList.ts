// Validation of required lists.

/** Whether a value is anything but an array with entries. */
export const isEmptyList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;
