/** Whole numbers from 0 to 4,294,967,295 in one growing block: 4 bytes each, where an array of numbers takes twice that. */
export type NumberList = {
  readonly length: number;
  push(value: number): void;
  /** 0 beyond the end. */
  at(index: number): number;
  /** The place of the last number that is not above `value`, of a list that only rises; -1 when all are. */
  lastUpTo(value: number): number;
};

/** An empty list with room for some numbers. */
export function createNumberList(capacity = 1024): NumberList {
  let block = new Uint32Array(capacity);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === block.length) {
        const larger = new Uint32Array(block.length * 2);
        larger.set(block);
        block = larger;
      }
      block[length++] = value;
    },
    at: (index) => (index < length ? (block[index] ?? 0) : 0),
    lastUpTo(value) {
      let low = 0;
      let high = length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((block[middle] ?? 0) <= value) low = middle + 1;
        else high = middle;
      }
      return low - 1;
    },
  };
}
