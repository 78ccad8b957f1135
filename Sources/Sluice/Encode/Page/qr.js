// QR codes (ISO/IEC 18004): bytes, error correction M, the smallest version that holds them.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});

  // For each version from 1: the codewords for correction in each block, and the number of blocks
  // (table 9, level M).
  const CORRECTION = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ];
  const BLOCKS = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25,
    26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ];

  /** The modules of a version that are not part of a pattern, divided into codewords. */
  function codewords(version) {
    let modules = (16 * version + 128) * version + 64;
    if (version >= 2) {
      const alignments = Math.floor(version / 7) + 2;
      modules -= (25 * alignments - 10) * alignments - 55;
      if (version >= 7) modules -= 36;
    }
    return Math.floor(modules / 8);
  }

  const dataCodewords = (version) =>
    codewords(version) - CORRECTION[version - 1] * BLOCKS[version - 1];

  // Arithmetic of the field with 256 elements.
  const EXPONENTS = new Uint8Array(512);
  const LOGARITHMS = new Uint8Array(256);
  for (let power = 0, value = 1; power < 255; power += 1) {
    EXPONENTS[power] = EXPONENTS[power + 255] = value;
    LOGARITHMS[value] = power;
    value = value << 1 ^ (value & 0x80 ? 0x11d : 0);
  }
  const times = (a, b) => (a && b ? EXPONENTS[LOGARITHMS[a] + LOGARITHMS[b]] : 0);

  /** The codewords that correct errors of `data`, `count` of them (Reed and Solomon). */
  function correction(data, count) {
    let divisor = [1];
    for (let power = 0; power < count; power += 1) {
      const next = divisor.concat(0);
      divisor.forEach((factor, index) => { next[index + 1] ^= times(factor, EXPONENTS[power]); });
      divisor = next;
    }
    const rest = new Array(count).fill(0);
    for (const byte of data) {
      const factor = byte ^ rest.shift();
      rest.push(0);
      for (let index = 0; index < count; index += 1) {
        rest[index] ^= times(divisor[index + 1], factor);
      }
    }
    return rest;
  }

  /** The codewords of a text: mode, length, bytes, padding. Null if no version holds it. */
  function encode(text) {
    const bytes = new TextEncoder().encode(text);
    let version = 1;
    const bitsOfLength = () => (version < 10 ? 8 : 16);
    while (version <= 40 && 4 + bitsOfLength() + 8 * bytes.length > 8 * dataCodewords(version)) {
      version += 1;
    }
    if (version > 40) return null;
    const bits = [];
    const add = (value, count) => {
      for (let bit = count - 1; bit >= 0; bit -= 1) bits.push(value >> bit & 1);
    };
    add(4, 4);
    add(bytes.length, bitsOfLength());
    for (const byte of bytes) add(byte, 8);
    const capacity = 8 * dataCodewords(version);
    add(0, Math.min(4, capacity - bits.length));
    add(0, (8 - bits.length % 8) % 8);
    for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) add(pad, 8);
    const data = [];
    for (let index = 0; index < bits.length; index += 8) {
      data.push(bits.slice(index, index + 8).reduce((byte, bit) => byte << 1 | bit));
    }
    return { version, codewords: interleaved(data, version) };
  }

  /** Divides data into blocks, adds their correction, and takes from each block in turn. */
  function interleaved(data, version) {
    const count = BLOCKS[version - 1];
    const short = Math.floor(data.length / count);
    const blocks = [];
    for (let index = 0, start = 0; index < count; index += 1) {
      const end = start + short + (index >= count - data.length % count ? 1 : 0);
      blocks.push(data.slice(start, end));
      start = end;
    }
    const corrections = blocks.map((block) => correction(block, CORRECTION[version - 1]));
    const result = [];
    for (const list of [blocks, corrections]) {
      for (let index = 0; index <= short || index < CORRECTION[version - 1]; index += 1) {
        for (const block of list) if (index < block.length) result.push(block[index]);
      }
    }
    return result;
  }

  /** Where the middles of alignment patterns are, in both directions. */
  function alignments(version) {
    if (version === 1) return [];
    const count = Math.floor(version / 7) + 2;
    const step = version === 32 ? 26 : Math.ceil((4 * version + 4) / (2 * count - 2)) * 2;
    const result = [6];
    for (let at = 4 * version + 10; result.length < count; at -= step) result.splice(1, 0, at);
    return result;
  }

  const MASKS = [
    (x, y) => (x + y) % 2 === 0,
    (x, y) => y % 2 === 0,
    (x) => x % 3 === 0,
    (x, y) => (x + y) % 3 === 0,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
    (x, y) => x * y % 2 + x * y % 3 === 0,
    (x, y) => (x * y % 2 + x * y % 3) % 2 === 0,
    (x, y) => ((x + y) % 2 + x * y % 3) % 2 === 0,
  ];

  /** Draws all that does not depend on the data. `fixed` marks it. */
  function drawPatterns(version, size, dark, fixed) {
    const set = (x, y, isDark) => {
      if (x < 0 || y < 0 || x >= size || y >= size) return;
      dark[y][x] = isDark;
      fixed[y][x] = true;
    };
    for (let at = 0; at < size; at += 1) {
      set(6, at, at % 2 === 0);
      set(at, 6, at % 2 === 0);
    }
    for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
      for (let y = -4; y <= 4; y += 1) {
        for (let x = -4; x <= 4; x += 1) {
          const ring = Math.max(Math.abs(x), Math.abs(y));
          set(left + x, top + y, ring !== 2 && ring !== 4);
        }
      }
    }
    const middles = alignments(version);
    const last = middles.length - 1;
    middles.forEach((top, row) => middles.forEach((left, column) => {
      // Three corners have a finder already.
      if (row === 0 && (column === 0 || column === last) || row === last && column === 0) return;
      for (let y = -2; y <= 2; y += 1) {
        for (let x = -2; x <= 2; x += 1) {
          set(left + x, top + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
        }
      }
    }));
    drawFormat(0, size, set);
    if (version >= 7) {
      let rest = version;
      for (let step = 0; step < 12; step += 1) rest = rest << 1 ^ (rest >> 11) * 0x1f25;
      const bits = version << 12 | rest;
      for (let index = 0; index < 18; index += 1) {
        const isDark = (bits >> index & 1) === 1;
        const [a, b] = [size - 11 + index % 3, Math.floor(index / 3)];
        set(a, b, isDark);
        set(b, a, isDark);
      }
    }
  }

  /** Draws level M and the mask, twice. */
  function drawFormat(mask, size, set) {
    let rest = mask;
    for (let step = 0; step < 10; step += 1) rest = rest << 1 ^ (rest >> 9) * 0x537;
    const bits = (mask << 10 | rest) ^ 0x5412;
    for (let index = 0; index < 15; index += 1) {
      const isDark = (bits >> index & 1) === 1;
      if (index < 6) set(8, index, isDark);
      else if (index < 8) set(8, index + 1, isDark);
      else if (index === 8) set(7, 8, isDark);
      else set(14 - index, 8, isDark);
      if (index < 8) set(size - 1 - index, 8, isDark);
      else set(8, size - 15 + index, isDark);
    }
    set(8, size - 8, true);
  }

  /** Calls `body` with each module that is free for data, in the order of the data. */
  function forEachFree(size, fixed, body) {
    for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
      if (right === 6) right = 5;
      for (let step = 0; step < size; step += 1) {
        const y = isUp ? size - 1 - step : step;
        for (const x of [right, right - 1]) if (!fixed[y][x]) body(x, y);
      }
    }
  }

  /** How hard a symbol is to read (section 7.8.3). */
  function penalty(dark, size) {
    let total = 0;
    const lines = dark.concat(dark[0].map((_, x) => dark.map((row) => row[x])));
    for (const line of lines) {
      const text = line.map(Number).join("");
      for (const run of text.match(/0+|1+/g)) if (run.length >= 5) total += run.length - 2;
      for (const pattern of ["10111010000", "00001011101"]) {
        for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) total += 40;
      }
    }
    let count = 0;
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size; x += 1) {
        if (dark[y][x]) count += 1;
        if (x && y && dark[y][x] === dark[y - 1][x] && dark[y][x] === dark[y][x - 1] &&
            dark[y][x] === dark[y - 1][x - 1]) {
          total += 3;
        }
      }
    }
    return total + 10 * Math.floor(Math.abs(count * 20 - size * size * 10) / (size * size));
  }

  /** The modules of a text's QR code, row by row, true for dark; null if it is too long. */
  function matrix(text) {
    const code = encode(text);
    if (!code) return null;
    const size = 4 * code.version + 17;
    const grid = () => Array.from({ length: size }, () => new Array(size).fill(false));
    const [dark, fixed] = [grid(), grid()];
    drawPatterns(code.version, size, dark, fixed);
    let index = 0;
    forEachFree(size, fixed, (x, y) => {
      if (index < 8 * code.codewords.length) {
        dark[y][x] = (code.codewords[index >> 3] >> (7 - (index & 7)) & 1) === 1;
        index += 1;
      }
    });
    let best = null;
    MASKS.forEach((mask, number) => {
      const masked = dark.map((row) => row.slice());
      forEachFree(size, fixed, (x, y) => { if (mask(x, y)) masked[y][x] = !masked[y][x]; });
      drawFormat(number, size, (x, y, isDark) => { masked[y][x] = isDark; });
      const cost = penalty(masked, size);
      if (!best || cost < best.cost) best = { cost, masked };
    });
    return best.masked;
  }

  sluice.qr = { matrix };
})();
