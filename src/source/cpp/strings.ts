import {characterOf, escapedLetters} from '../escapes.js';

/** Returns the value of a C++ string literal with its prefix and quotes; null for anything else. */
export function cppLiteral(source: string): string | null {
  const raw = /^(?:u8|[LuU])?R"([^()\\\s]{0,16})\(([^]*)\)\1"$/.exec(source);
  if (raw) return raw[2] ?? '';
  const plain = /^(?:u8|[LuU])?"((?:[^"\\\n]|\\[^])*)"?$/.exec(source);
  return plain ? unescape(plain[1] ?? '') : null;
}

function unescape(raw: string): string {
  return raw.replace(
    /\\(?:x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([^]))/g,
    (whole, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const digits = hex ?? short ?? long;
      const code = digits === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(digits, 16);
      if (!Number.isNaN(code)) return characterOf(code, whole);
      return escapedLetters[letter ?? ''] ?? letter ?? whole;
    },
  );
}

/** Returns a C++ string literal with this value. */
export function cppString(value: string): string {
  const escaped = value.replace(/[\\"]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, control => {
    return `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}
