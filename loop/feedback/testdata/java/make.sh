#!/bin/bash
. "$(dirname "$0")/../lib.sh"
begin exception
put src/com/example/shop/Cart.java <<'E'
package com.example.shop;

public class Cart {
    static int first(int[] items) { return items[0]; }

    static int load() {
        try {
            return first(new int[0]);
        } catch (RuntimeException e) {
            throw new IllegalStateException("cannot load", e);
        }
    }

    public static void main(String[] args) { System.out.println(load()); }
}
E
echo 'class Cart {}' | put src/com/example/other/Cart.java
fin 'javac -d ../out src/com/example/shop/Cart.java && java -cp ../out com.example.shop.Cart'
begin compile; printf 'package com.example.shop;\n\npublic class Cart {\n    int total() { return missing; }\n}\n' | put src/com/example/shop/Cart.java
fin 'javac -d ../out src/com/example/shop/Cart.java'
